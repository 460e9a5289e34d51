/**
 * What SARIF 2.1.0 asks of the objects we write (sections 3.13 to 3.57 of the standard), closed:
 * a member that the standard does not know at that place is refused. Regions and help are optional
 * there, and required here, because readers show nothing without them.
 */
const message = closed({ text: { type: 'string', minLength: 1 } }, ['text'])

/** A relative reference or an address: no blank, no backslash, percent signs only for escapes. */
const uri = { type: 'string', pattern: String.raw`^(?:[\w.!~*'();:@&=+$,/?#-]|%[0-9A-Fa-f]{2})+$` }
const positive = { type: 'integer', minimum: 1 }
const natural = { type: 'integer', minimum: 0 }
const level = { enum: ['none', 'note', 'warning', 'error'] }

const artifactLocation = closed({ uri, index: natural }, ['uri'])

const region = closed({
  startLine: positive,
  startColumn: positive,
  endLine: positive,
  endColumn: positive,
  charOffset: natural,
  charLength: natural,
})

const fix = closed(
  {
    description: message,
    artifactChanges: list(
      closed(
        {
          artifactLocation,
          replacements: list(
            closed(
              { deletedRegion: region, insertedContent: closed({ text: { type: 'string' } }) },
              ['deletedRegion'],
            ),
            1,
          ),
        },
        ['artifactLocation', 'replacements'],
      ),
      1,
    ),
  },
  ['artifactChanges'],
)

const result = closed(
  {
    ruleId: { type: 'string' },
    ruleIndex: natural,
    level,
    message,
    occurrenceCount: natural,
    locations: list(
      closed({
        physicalLocation: closed({ artifactLocation, region }, ['artifactLocation', 'region']),
      }),
    ),
    fixes: list(fix),
  },
  ['message'],
)

const rule = closed(
  {
    id: { type: 'string', minLength: 1 },
    shortDescription: message,
    help: message,
    helpUri: { type: 'string', pattern: '^https?://' },
    defaultConfiguration: closed({ level }),
  },
  ['id', 'help'],
)

export const sarifSchema = closed(
  {
    $schema: { type: 'string', pattern: '^https://' },
    version: { const: '2.1.0' },
    runs: list(
      closed(
        {
          tool: closed(
            {
              driver: closed(
                {
                  name: { type: 'string', minLength: 1 },
                  semanticVersion: { type: 'string', pattern: String.raw`^\d+\.\d+\.\d+` },
                  informationUri: { type: 'string', pattern: '^https?://' },
                  rules: { ...list(rule), uniqueItems: true },
                },
                ['name'],
              ),
            },
            ['driver'],
          ),
          columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
          artifacts: list(closed({ location: artifactLocation })),
          results: list(result),
        },
        ['tool'],
      ),
    ),
  },
  ['version', 'runs'],
)

function closed(properties: Record<string, object>, required: string[] = []) {
  return { type: 'object', properties, required, additionalProperties: false }
}

function list(items: object, minItems = 0) {
  return { type: 'array', items, minItems }
}
