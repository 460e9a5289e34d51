import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { formatSarif } from '../../../src/lint/formats/sarif.ts'
import { lintText } from '../../../src/lint/lint-text.ts'
import { reports } from './reports.ts'
import { sarifSchema } from './sarif-schema.ts'

const options = { version: '1.2.3', docsUrl: 'https://ci.example.com/docs' }

test('a SARIF log matches the schema of the standard', () => {
  const validate = new Ajv().compile(sarifSchema)
  const log: unknown = JSON.parse(formatSarif(reports, options))
  expect(validate(log) ? [] : validate.errors).toEqual([])
})

test('a SARIF log without findings and documentation matches the schema too', () => {
  const validate = new Ajv().compile(sarifSchema)
  const log: unknown = JSON.parse(
    formatSarif([{ file: '/tmp/a b.yml', text: '', findings: [] }], { version: '1.2.3' }),
  )
  expect(validate(log) ? [] : validate.errors).toEqual([])
})

test('a SARIF log has the count of repeated advice', () => {
  const text = 'install: [sudo apt-get install a, make, sudo apt-get install a]\nscript: make\n'
  const { findings } = lintText(text, { advice: true })
  const log = formatSarif([{ file: '.service.yml', text, findings }], options)
  expect(JSON.parse(log)).toMatchObject({
    runs: [{ results: expect.arrayContaining([expect.objectContaining({ occurrenceCount: 2 })]) }],
  })
  const validate = new Ajv().compile(sarifSchema)
  expect(validate(JSON.parse(log)) ? [] : validate.errors).toEqual([])
})

test('a SARIF log has the rules, positions and fixes of findings', () => {
  expect(JSON.parse(formatSarif(reports, options))).toMatchInlineSnapshot(`
    {
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
      "runs": [
        {
          "artifacts": [
            {
              "location": {
                "uri": ".service.yml",
              },
            },
            {
              "location": {
                "uri": "a%2Cb%3A%0A%1B%5B31m%3C%22%26.yml",
              },
            },
          ],
          "columnKind": "utf16CodeUnits",
          "results": [
            {
              "level": "note",
              "locations": [
                {
                  "physicalLocation": {
                    "artifactLocation": {
                      "index": 0,
                      "uri": ".service.yml",
                    },
                    "region": {
                      "startLine": 1,
                    },
                  },
                },
              ],
              "message": {
                "text": ""os" is not given, so "linux" is used: write it down if you rely on it",
              },
              "ruleId": "default",
              "ruleIndex": 0,
            },
            {
              "fixes": [
                {
                  "artifactChanges": [
                    {
                      "artifactLocation": {
                        "uri": ".service.yml",
                      },
                      "replacements": [
                        {
                          "deletedRegion": {
                            "charLength": 8,
                            "charOffset": 0,
                          },
                          "insertedContent": {
                            "text": "language",
                          },
                        },
                      ],
                    },
                  ],
                  "description": {
                    "text": "write "language"",
                  },
                },
              ],
              "level": "warning",
              "locations": [
                {
                  "physicalLocation": {
                    "artifactLocation": {
                      "index": 0,
                      "uri": ".service.yml",
                    },
                    "region": {
                      "endColumn": 9,
                      "endLine": 1,
                      "startColumn": 1,
                      "startLine": 1,
                    },
                  },
                },
              ],
              "message": {
                "text": "unknown key "langauge", read as "language": correct the spelling",
              },
              "ruleId": "find_key",
              "ruleIndex": 1,
            },
            {
              "level": "error",
              "locations": [
                {
                  "physicalLocation": {
                    "artifactLocation": {
                      "index": 0,
                      "uri": ".service.yml",
                    },
                    "region": {
                      "endColumn": 15,
                      "endLine": 3,
                      "startColumn": 1,
                      "startLine": 2,
                    },
                  },
                },
              ],
              "message": {
                "text": "a text is expected here",
              },
              "ruleId": "invalid_type",
              "ruleIndex": 2,
            },
            {
              "level": "error",
              "locations": [
                {
                  "physicalLocation": {
                    "artifactLocation": {
                      "index": 1,
                      "uri": "a%2Cb%3A%0A%1B%5B31m%3C%22%26.yml",
                    },
                    "region": {
                      "endColumn": 8,
                      "endLine": 1,
                      "startColumn": 2,
                      "startLine": 1,
                    },
                  },
                },
              ],
              "message": {
                "text": "100% <plain> "text"\\n::error::\\x1b[2J",
              },
              "ruleId": "secure",
              "ruleIndex": 3,
            },
          ],
          "tool": {
            "driver": {
              "informationUri": "https://ci.example.com/docs",
              "name": "build-service",
              "rules": [
                {
                  "defaultConfiguration": {
                    "level": "note",
                  },
                  "help": {
                    "text": "The key is missing or empty, so its default applies. This is fine. The installation chooses the defaults and can change them.

    More: build-service explain default",
                  },
                  "helpUri": "https://ci.example.com/docs/lint/default",
                  "id": "default",
                  "shortDescription": {
                    "text": "The key is missing or empty, so its default applies. This is fine. The installation chooses the defaults and can change them.",
                  },
                },
                {
                  "defaultConfiguration": {
                    "level": "warning",
                  },
                  "help": {
                    "text": "There is no such key, but one with a similar spelling. It is read as that one.

    More: build-service explain find_key",
                  },
                  "helpUri": "https://ci.example.com/docs/lint/find_key",
                  "id": "find_key",
                  "shortDescription": {
                    "text": "There is no such key, but one with a similar spelling. It is read as that one.",
                  },
                },
                {
                  "defaultConfiguration": {
                    "level": "error",
                  },
                  "help": {
                    "text": "The value has the wrong type for this key, and cannot be converted. The job cannot use it. Most often a command contains a colon and a space, which make it a key with a value: quotes around the whole command keep it a string.

    More: build-service explain invalid_type",
                  },
                  "helpUri": "https://ci.example.com/docs/lint/invalid_type",
                  "id": "invalid_type",
                  "shortDescription": {
                    "text": "The value has the wrong type for this key, and cannot be converted. The job cannot use it. Most often a command contains a colon and a space, which make it a key with a value: quotes around the whole command keep it a string.",
                  },
                },
                {
                  "defaultConfiguration": {
                    "level": "error",
                  },
                  "help": {
                    "text": "A password, key or token is in the file as plain text, visible to everyone who can read the repository, now or in its history. Under \`vault\` a token in plain text is refused.

    More: build-service explain secure",
                  },
                  "helpUri": "https://ci.example.com/docs/lint/secure",
                  "id": "secure",
                  "shortDescription": {
                    "text": "A password, key or token is in the file as plain text, visible to everyone who can read the repository, now or in its history. Under \`vault\` a token in plain text is refused.",
                  },
                },
              ],
              "semanticVersion": "1.2.3",
            },
          },
        },
      ],
      "version": "2.1.0",
    }
  `)
})
