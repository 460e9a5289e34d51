import { integer, listOf, objectOf, oneOf, orNull, text } from '../openapi/schema.ts'

/** What the lint endpoints report, as the API's documents show it. */
export const warningsSchema = listOf(
  objectOf({
    key: listOf(text),
    message: text,
    level: oneOf(['alert', 'error', 'warn']),
    code: text,
    line: orNull(integer),
    column: orNull(integer),
  }),
)
