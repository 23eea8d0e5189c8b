/** The schemas of rules and scenarios for the document of the control API, made from the schemas that read them. */
import { z } from '@hono/zod-openapi';
import type { DocumentSchemas } from '../../contract/control/document.ts';
import { forcedRuleSchema } from '../../scenarios/rules/adhoc-rule.ts';
import { scenarioSchemas } from '../../scenarios/schema.ts';

/** Returns the schemas by their names in the contract, with the schemas that they refer to. */
export function documentSchemas(): DocumentSchemas {
  return {
    ...schemasOf('ForcedRule', forcedRuleSchema(), {
      example: { op: 'payment.create', outcome: 'reset-after-commit' },
    }),
    ...schemasOf('Scenario', scenarioSchemas().document, {}),
    ScenarioRequest: {
      oneOf: [
        {
          type: 'object',
          properties: { name: { type: 'string', description: 'Name of a known scenario' } },
          required: ['name'],
          additionalProperties: false,
        },
        { $ref: '#/components/schemas/Scenario' },
      ],
      example: { name: 'lost-answer' },
    },
  };
}

/** Converts a schema to JSON Schema. Its named parts become schemas of the document, with the prefix `Scenario`. */
function schemasOf(name: string, schema: z.ZodType, more: object): DocumentSchemas {
  const written = JSON.stringify(z.toJSONSchema(schema, { io: 'input' }));
  const {
    $defs,
    $schema: _dialect,
    ...top
  } = JSON.parse(written.replaceAll('#/$defs/', '#/components/schemas/Scenario')) as {
    $defs?: DocumentSchemas;
    $schema?: string;
  }; // Made by the line above.
  const parts = Object.entries($defs ?? {}).map(([part, of]) => [`Scenario${part}`, of] as const);
  return { [name]: { ...top, ...more }, ...Object.fromEntries(parts) };
}
