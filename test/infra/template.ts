import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { readFileSync } from 'node:fs';
import { BoomerangStack } from '../../infra/stack.ts';

/** One resource of a synthesized template. */
export interface Resource {
  readonly Type: string;
  readonly Properties: Properties;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

export type Properties = { readonly [name: string]: unknown };

export interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
}

/** The template as it deploys, flags of cdk.json included, but without the slow bundling of code. */
export function synthesize(context: Properties = {}): Template {
  const settings = JSON.parse(readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8')) as {
    context: Properties;
  };
  const app = new App({
    context: { ...settings.context, 'aws:cdk:bundling-stacks': [], ...context },
  });
  return Template.fromStack(new BoomerangStack(app, 'Boomerang'));
}

/** Resources of one type by logical id. Throws on none: a check of nothing would always pass. */
export function resources(template: Template, type: string): ReadonlyMap<string, Resource> {
  const found = Object.entries(template.findResources(type)) as [string, Resource][];
  if (found.length === 0) throw new Error(`The template has no ${type}`);
  return new Map(found);
}

/** The logical id that a reference points at, whether to the resource or to one of its attributes. */
export function target(value: unknown): string {
  const reference = value as { Ref?: string; 'Fn::GetAtt'?: readonly string[] };
  const id = reference.Ref ?? reference['Fn::GetAtt']?.[0];
  if (id === undefined) throw new Error(`Not a reference: ${JSON.stringify(value)}`);
  return id;
}

/** Rooms by name: the logical id of each function begins with that of its construct. */
export function roomOf(logicalId: string): string {
  const room = ['Api', 'Worker', 'Resume', 'Notify', 'Sweep'].find((name) =>
    logicalId.startsWith(`${name}Function`),
  );
  if (room === undefined) throw new Error(`Not a room's: ${logicalId}`);
  return room;
}

/** What the role of each room may do, from every policy attached to it. */
export function statementsByRoom(template: Template): ReadonlyMap<string, readonly Statement[]> {
  const byRoom = new Map<string, Statement[]>();
  for (const { Properties } of resources(template, 'AWS::IAM::Policy').values()) {
    const { Statement: statements } = Properties['PolicyDocument'] as { Statement: Statement[] };
    for (const role of Properties['Roles'] as unknown[]) {
      const room = roomOf(target(role));
      byRoom.set(room, [...(byRoom.get(room) ?? []), ...statements]);
    }
  }
  return byRoom;
}

export const actionsOf = ({ Action }: Statement): readonly string[] =>
  typeof Action === 'string' ? [Action] : Action;
