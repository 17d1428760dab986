import { isSpecType } from '@modelcontextprotocol/server';
import { contentFlaws } from '../../core/content-schema.ts';
import type { JsonSchema, Question } from '../../core/tool.ts';

/**
 * A question as a form of MCP. Clients refuse any form but an object of plain fields, and with it the call
 * that asked. So a question for a plain value is a form with one field, and what fits no form at all is
 * written into that field as JSON.
 */
export interface InputRequest {
  readonly method: 'elicitation/create';
  readonly params: {
    readonly mode: 'form';
    readonly message: string;
    readonly requestedSchema: JsonSchema;
  };
}

const field = 'value';

export const formOf = ({ message, schema }: Question): InputRequest => ({
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message,
    requestedSchema: fieldsIn(schema) ?? {
      type: 'object',
      properties: { [field]: plainValue(schema) ?? jsonText(schema) },
      required: [field],
    },
  },
});

/** What was said to a question, out of its form; whether it fits is for the question's own schema to say. */
export function contentOf({ schema }: Question, content: unknown): unknown {
  if (fieldsIn(schema)) return content;
  const said = isObject(content) && Object.hasOwn(content, field) ? content[field] : content;
  if (plainValue(schema)) return said;
  // Who answers by program may send what no form can hold as it is.
  return typeof said === 'string' ? readJson(said) : content;
}

/** A question that takes anything is a form without fields. */
function fieldsIn(schema: JsonSchema): JsonSchema | undefined {
  const form = { type: 'object', properties: {}, ...schema };
  const takesFields = 'type' in schema || 'properties' in schema || takesNone(schema);
  if (!takesFields || !isSpecType.ElicitRequestFormParams({ message: '', requestedSchema: form })) {
    return undefined;
  }
  const { required = [], properties } = form as { required?: string[]; properties: JsonSchema };
  return required.every((name) => Object.hasOwn(properties, name)) ? form : undefined;
}

const takesNone = (schema: JsonSchema) => contentFlaws(schema, {}, field).length === 0;

/** The schema of one field; a choice between texts need not say that they are texts. */
function plainValue(schema: JsonSchema): JsonSchema | undefined {
  if (isSpecType.PrimitiveSchemaDefinition(schema)) return schema;
  const choice = { type: 'string', ...schema };
  return isSpecType.EnumSchema(choice) ? choice : undefined;
}

const jsonText = (schema: JsonSchema): JsonSchema => ({
  type: 'string',
  title: 'JSON',
  description: `The answer as JSON that fits this schema: ${JSON.stringify(schema)}`,
});

/** A text that is no JSON may be the answer itself. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
