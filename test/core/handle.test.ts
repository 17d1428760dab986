import { describe, expect, it } from 'vitest';
import { describeLongRunning, waitingGuidance } from '../../functions/core/guidance.ts';
import { handleOf, nextStep, pollAfterMs, stepOf } from '../../functions/core/handle.ts';
import { asTaskId } from '../../functions/core/ids.ts';
import { endedTasks, openTask } from './sample-task.ts';

describe('handleOf', () => {
  it('shows an open task and when to ask again', () => {
    expect(handleOf(openTask, openTask.createdAtMs + 40_000)).toEqual({
      task_id: 'task_1',
      status: 'working',
      poll_after_ms: 5000,
    });
  });

  it.each(endedTasks)('needs no waiting once the task is $state.status', (task) => {
    expect(handleOf(task, 3000)).toEqual({
      task_id: 'task_1',
      status: task.state.status,
      poll_after_ms: 0,
    });
  });
});

describe('pollAfterMs', () => {
  it.each([
    [0, 1000],
    [29_999, 1000],
    [30_000, 5000],
    [299_999, 5000],
    [300_000, 15_000],
    [10 ** 9, 15_000],
  ])('at an age of %i ms is %i', (ageMs, expected) => {
    expect(pollAfterMs(ageMs)).toBe(expected);
  });
});

describe('nextStep', () => {
  it('names the tool not to call again and the task to wait for', () => {
    const words = nextStep('install_package', asTaskId('task_7'));
    expect(words).toContain('Do not call install_package again');
    expect(words).toContain('wait_for_task with task_id "task_7"');
  });
});

it.each(endedTasks)('stepOf says that a task has ended: $state.status', (task) => {
  expect(stepOf(task)).toContain('has ended');
  expect(stepOf(task)).not.toContain('Still working');
});

describe('describeLongRunning', () => {
  const occurrences = (text: string) => text.split(waitingGuidance).length - 1;

  it.each([
    ['plain words', 'Builds it.'],
    ['words that hold the guidance already', `Builds it. ${waitingGuidance}`],
    ['words that hold it twice', `${waitingGuidance} Builds it. ${waitingGuidance}`],
    ['words described before', describeLongRunning('Builds it.', 1)],
  ])('ends %s with the guidance, exactly once', (_name, words) => {
    const described = describeLongRunning(words, 1);
    expect(described).toBe(`Builds it.\n\n${waitingGuidance}`);
    expect(occurrences(described)).toBe(1);
  });

  it('says how many results to expect when there are several', () => {
    expect(describeLongRunning('Builds it.', 3)).toMatch(/^Builds it\.\n\nIt gives 3 results/);
    expect(describeLongRunning('Builds it.', 1)).not.toContain('results');
    expect(describeLongRunning('Builds it.', { min: 1, max: 4 })).toMatch(
      /^Builds it\.\n\nIt gives between 1 and 4 results/,
    );
    expect(describeLongRunning('Builds it.', { min: 2, max: 2 })).toMatch(/gives 2 results/);
  });

  it('says what the model must know and nothing of the form of the result', () => {
    expect(waitingGuidance).toMatch(/Do not call it again for the same operation/);
    expect(waitingGuidance).toMatch(/arrives by itself/);
    expect(waitingGuidance).toMatch(/Do not invent/);
    expect(waitingGuidance).toMatch(/go on talking/);
    expect(waitingGuidance).not.toMatch(/JSON|message|event|tag|webhook|poll/i);
  });
});
