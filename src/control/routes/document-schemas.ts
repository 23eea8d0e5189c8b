/** What a rule and a scenario may say, for the document of the control plane: made from what reads them. */
import { z } from '@hono/zod-openapi';
import type { DocumentSchemas } from '../../contract/control/document.ts';
import { forcedRuleSchema } from '../../scenarios/rules/adhoc-rule.ts';
import { scenarioSchemas } from '../../scenarios/schema.ts';

/** Schemas by the names that the contract gives them, and those that they refer to. */
export function documentWords(): DocumentSchemas {
  return {
    ...schemasOf('ForcedRule', forcedRuleSchema(), {
      example: { op: 'payment.create', outcome: 'reset-after-commit' },
    }),
    ...schemasOf('Scenario', scenarioSchemas().document, {}),
    ScenarioRequest: {
      oneOf: [
        {
          type: 'object',
          properties: { name: { type: 'string', description: 'One that ships' } },
          required: ['name'],
          additionalProperties: false,
        },
        { $ref: '#/components/schemas/Scenario' },
      ],
      example: { name: 'lost-answer' },
    },
  };
}

/** Parts that have names become schemas of the document, under a name of their own beside those of the contract. */
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
