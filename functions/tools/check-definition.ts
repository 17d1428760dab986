import * as z from 'zod';
import { deadlineMsMax, progressMarksMax, resultsPerCallMax, retriesMax } from '../core/limits.ts';
import { isToolName } from '../core/tool.ts';
import type { ToolDefinition } from './define-tool.ts';

type Definition = ToolDefinition<z.ZodObject, z.ZodType>;

/** Stop the start, and say which tool is wrong and in what. */
export function wrongDefinition(name: string, what: string): never {
  throw new Error(`Tool "${name}" is not defined right: ${what}.`);
}

export function refuseWrongDefinition(definition: Definition): void {
  const { name, description } = definition;
  if (typeof name !== 'string' || !isToolName(name)) {
    wrongDefinition(name, 'its name must be 1 to 64 letters, digits, _ or -');
  }
  const wrong = [
    !description?.trim() && 'it has no description, and the model reads nothing else',
    !(definition.input instanceof z.ZodObject) && 'its input must be a z.object({ … })',
    typeof definition.run !== 'function' && 'it has no run function',
    ...wrongNumbers(definition),
    ...onlyForLongRunning(definition),
  ].find((what) => typeof what === 'string');
  if (wrong) wrongDefinition(name, wrong);
}

export const isWhole = (value: number, least: number, most: number) =>
  Number.isInteger(value) && value >= least && value <= most;

const outside = (value: number | undefined, least: number, most: number) =>
  value !== undefined && !isWhole(value, least, most);

export const deadlineSMax = deadlineMsMax / 1000;

function wrongNumbers({ retries, deadlineS, results, progressAt = [] }: Definition) {
  return [
    outside(retries, 0, retriesMax) && `retries must be a whole number, 0 to ${retriesMax}`,
    outside(deadlineS, 1, deadlineSMax) &&
      `deadlineS must be a whole number of seconds, 1 to ${deadlineSMax}`,
    wrongResults(results) &&
      `results must be a whole number, 1 to ${resultsPerCallMax}, or { min, max } of such`,
    wrongMarks(progressAt) &&
      `progressAt must be up to ${progressMarksMax} whole numbers, 1 to 99, ascending`,
  ];
}

function wrongResults(results: Definition['results']): boolean {
  if (results === undefined || typeof results === 'function') return false;
  const { min, max } = typeof results === 'number' ? { min: results, max: results } : results;
  return !isWhole(min, 1, resultsPerCallMax) || !isWhole(max, min, resultsPerCallMax);
}

const wrongMarks = (marks: readonly number[]) =>
  marks.length > progressMarksMax ||
  marks.some((mark, index) => !isWhole(mark, (marks[index - 1] ?? 0) + 1, 99));

function onlyForLongRunning(definition: Definition) {
  const { longRunning, retries, deadlineS, results, progressAt } = definition;
  const given = Object.entries({ retries, deadlineS, results, progressAt });
  return given.map(
    ([option, value]) =>
      !longRunning && value !== undefined && `${option} is only for a longRunning tool`,
  );
}
