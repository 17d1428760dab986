import { expect, it } from 'vitest';
import { logLine } from '../../local/log.ts';

it('a line in the terminal leaves out what is not known', () => {
  const data = { taskId: 'task_1', tool: undefined, detail: ' ', why: '', count: 0, held: false };
  expect(logLine('warn', 'it rains', data)).toMatch(
    /^\d\d:\d\d:\d\d WARN it rains taskId=task_1 count=0 held=false$/,
  );
  expect(logLine('info', 'task ended')).toMatch(/^\S+ task ended$/);
});
