import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { bundleSchema } from '../../../src/buildfile/schema/bundle.ts'
import { vocabulary, type Schema } from '../../../src/buildfile/schema/document.ts'
import { strictSchema } from '../../../src/buildfile/schema/strict.ts'
import { readSchemaFiles } from '../../../src/service/contexts.ts'
import { corpus, readCorpus } from '../../support/corpus.ts'
import { needs } from '../../support/needs.ts'

interface Result {
  name: string
  config?: unknown
  error?: string
  messages: { code: string }[]
}

const id = '/schema/service-yml.json'
const bundle = bundleSchema(readSchemaFiles(), id)
const ajv = new Ajv2020({ strict: true })
ajv.addVocabulary([...vocabulary])
const isValid = ajv.compile(bundle)
// Whether a value is a map at all is seen where the keyword stands beside `anyOf`.
const ajvOfStrict = new Ajv2020({ strict: true, strictTypes: false })
ajvOfStrict.addVocabulary([...vocabulary])
const isStrictlyValid = ajvOfStrict.compile(strictSchema(bundle))

const codesOf = ({ messages }: Result) => new Set(messages.map(({ code }) => code))

/** Every schema below a schema with the pointer to it. */
function* schemasIn(schema: unknown, pointer = ''): Generator<[string, Schema]> {
  if (typeof schema !== 'object' || schema === null) return
  if (!Array.isArray(schema)) yield [pointer, schema as Schema]
  for (const [name, value] of Object.entries(schema)) {
    if (['examples', 'default', 'const', 'enum'].includes(name) || name.startsWith('x-')) continue
    yield* schemasIn(value, `${pointer}/${encodeURIComponent(name.replaceAll('/', '~1'))}`)
  }
}

/** What `$ref` leads to within the bundle. */
function target(reference: string): Schema {
  const names = reference.slice('#/'.length).split('/')
  return names.reduce<unknown>(
    (at, name) => (at as Record<string, unknown>)[name],
    bundle,
  ) as Schema
}

function isDescribed(schema: Schema): boolean {
  if (schema.title !== undefined || schema.description !== undefined) return true
  return schema.$ref !== undefined && isDescribed(target(schema.$ref))
}

describe('the schema', () => {
  test('has no reference to a file outside the bundle', () => {
    const references = [...schemasIn(bundle)].flatMap(([, { $ref }]) => $ref ?? [])
    expect(references.filter((reference) => !reference.startsWith('#/$defs/'))).toEqual([])
    expect(references.filter((reference) => !target(reference))).toEqual([])
  })

  test('describes every key', () => {
    const keys = [...schemasIn(bundle)].flatMap(([pointer, { properties = {} }]) =>
      Object.entries(properties)
        .filter(([, schema]) => !isDescribed(schema))
        .map(([key]) => `${pointer}/properties/${key}`),
    )
    expect(keys).toEqual([])
  })

  test('has examples that are valid for their keys', () => {
    const examples = [...schemasIn(bundle)].flatMap(([pointer, { examples = [] }]) =>
      examples.map((example) => ({ pointer, example })),
    )
    const wrong = examples.filter(({ pointer, example }) => {
      return !ajv.validate({ $ref: `${id}#${pointer}` }, example)
    })
    expect(examples.length).toBeGreaterThan(300)
    expect(wrong).toEqual([])
  })

  test('lists all deploy providers in both places', () => {
    const files = [...readSchemaFiles().keys()].filter((file) => file.startsWith('parts/deploy/'))
    const names = files.map((file) => file.slice('parts/deploy/'.length, -'.json'.length))
    const forms = target('#/$defs/deploy/$defs/providers').anyOf ?? []
    const unknown = forms.find(({ properties }) => properties?.['provider'])
    expect(
      forms.flatMap(({ $ref }) => $ref ?? []).filter((ref) => ref.includes('deploy.')),
    ).toEqual(names.map((name) => `#/$defs/deploy.${name}`))
    expect(unknown?.properties?.['provider']?.not?.enum).toEqual(names)
  })
})

describe('a build file is valid', () => {
  test.each<[string, unknown]>([
    ['in its normal form', { language: 'ruby', os: ['linux'], script: ['rake'] }],
    ['with single values for sequences', { os: 'linux', python: 3.12, script: 'make' }],
    ['with empty keys', { script: null, addons: null, cache: null, git: null }],
    ['with short forms', { branches: 'main', cache: 'npm', deploy: 's3', notifications: false }],
    ['with definitions of variables', { env: ['A=1 B="x y"', { C: 2 }, { secure: 'aGVsbG8=' }] }],
    ['with unknown keys', { scirpt: 'make', git: { depht: 3 } }],
    ['with unknown values', { language: 'cobol', os: ['beos'], deploy: { provider: '?' } }],
    ['with sequences in sequences', { install: [['a', 'b'], 'c'] }],
  ])('%s', (_how, config) => {
    expect(isValid(config)).toBe(true)
  })
})

describe('a build file is not valid', () => {
  test.each<[string, unknown]>([
    ['that is not a map', ['script']],
    ['with a map for a command', { script: { a: 1 } }],
    ['with a map among commands', { script: ['make', { a: 1 }] }],
    ['with a sequence for a single value', { language: ['ruby', 'go'] }],
    ['with a map for a variable', { env: { global: [{ A: { b: 1 } }] } }],
    ['with a map for a switch', { cache: { npm: {} } }],
    ['with a number for a section', { git: 1 }],
    ['with a sequence for a section', { addons: ['apt'] }],
    ['with a deployment without a provider', { deploy: { skip_cleanup: true } }],
    ['with a deployment without a required key', { deploy: { provider: 'convox', app: 'a' } }],
    ['with a deployment of wrong values', { deploy: { provider: 's3', bucket: ['a'] } }],
    ['with a notification of wrong values', { notifications: { slack: { rooms: [{ a: 1 }] } } }],
    ['with a job of wrong values', { jobs: { include: [{ script: { a: 1 } }] } }],
    ['with an invalid version', { version: 'one' }],
  ])('%s', (_how, config) => {
    expect(isValid(config)).toBe(false)
  })
})

test('a description of a key is not lost to that of its type', () => {
  const lost = [...schemasIn(bundle)].filter(([, { $ref, description }]) => $ref && description)
  expect(lost.map(([pointer]) => pointer)).toEqual([])
})

describe('the strict schema', () => {
  test.each<[string, unknown]>([
    ['at the top', { scirpt: 'make' }],
    ['in a section', { git: { depht: 3 } }],
    ['in a job', { jobs: { include: [{ scirpt: 'make' }] } }],
    ['in a deployment', { deploy: { provider: 's3', buket: 'a' } }],
    [
      'in one of several deployments',
      {
        deploy: [
          { provider: 's3', bucket: 'a' },
          { provider: 'npm', q: 1 },
        ],
      },
    ],
    ['in a notification', { notifications: { slack: { rooms: 'a', q: 1 } } }],
    ['that only resembles another key', { beforescripts: 'make', 'before.script': 'make' }],
    ['in the short form of a section', { notifications: { recipients: 'me@example.com', q: 1 } }],
  ])('flags an unknown key %s', (_where, config) => {
    expect([isValid(config), isStrictlyValid(config)]).toEqual([true, false])
  })

  test.each<[string, unknown]>([
    ['other names of keys', { matrix: { include: [{ rbenv: 3.2 }] } }],
    ['names of variables', { env: { global: { ANY: 1 }, jobs: [{ NAME: 2 }] } }],
    ['variables next to lists of variables', { env: { global: ['A=1'], ANY: 1 } }],
    ['keys for shared parts', { _shared: { a: 1 }, '.shared': 1, 'x-shared': ['a'] }],
    ['short forms', { notifications: { recipients: 'me@example.com' }, cache: { npm: true } }],
    [
      'names with dashes or capital letters',
      {
        Install: 'make',
        BeforeScript: 'make',
        'before-cache': 'make',
        deploy: {
          provider: 's3',
          bucket: 'a',
          'skip-cleanup': true,
          'local-dir': 'a',
          localDir: 'b',
        },
      },
    ],
    ['null and false', { script: null, cache: false, notifications: false }],
  ])('accepts %s', (_what, config) => {
    expect([isValid(config), isStrictlyValid(config)]).toEqual([true, true])
  })
})

describe('in the corpus', needs(corpus), () => {
  const expected = readCorpus<Result>('expected')
  const byName = new Map(expected.map((result) => [result.name, result]))

  test('every normal form is valid', () => {
    expect(expected).toHaveLength(2000)
    expect(expected.filter(({ config }) => !isValid(config)).map(({ name }) => name)).toEqual([])
  })

  test('every probe without an error of type, format or required keys is valid', () => {
    const wrongForm = ['invalid_type', 'invalid_format', 'required']
    const sound = readCorpus<Result>('probes').filter(
      (probe) => !probe.error && !wrongForm.some((code) => codesOf(probe).has(code)),
    )
    expect(sound.length).toBeGreaterThan(400)
    expect(sound.filter(({ config }) => !isValid(config)).map(({ name }) => name)).toEqual([])
  })

  test('every original file is valid unless the reader has to choose or refuse, and nearly all misspelled keys are flagged', () => {
    const reported = ['unexpected_seq', 'overwrite', 'invalid_type']
    const files = readCorpus<{ name: string; yaml: string }>('configs')
    const sound = files.filter((_, i) => {
      const result = expected[i]
      return result && !reported.some((code) => codesOf(result).has(code))
    })
    const written = sound.flatMap(({ name, yaml }) => {
      try {
        const options = { merge: true, uniqueKeys: false, logLevel: 'silent' } as const
        return [{ name, yaml, config: parse(yaml, options) as unknown }]
      } catch {
        return [] // Broken for a reader of YAML 1.2, as editors have.
      }
    })
    expect(written.length).toBeGreaterThan(1850)
    expect(written.filter(({ config }) => !isValid(config)).map(({ name }) => name)).toEqual([])

    // Where aliases are used, it cannot be seen which keys only hold what they repeat.
    const misspelt = ['unknown_key', 'find_key', 'clean_key']
    const counts = { flagged: 0, missed: 0, spared: 0, wronged: 0 }
    for (const { name, yaml, config } of written) {
      const codes = codesOf(byName.get(name) ?? { name, messages: [] })
      const isMisspelt = misspelt.some((code) => codes.has(code))
      const isFlagged = !isStrictlyValid(config)
      if (isMisspelt) counts[isFlagged ? 'flagged' : 'missed'] += 1
      else if (!/&\w/.test(yaml)) counts[isFlagged ? 'wronged' : 'spared'] += 1
    }
    // Of the two, one has a key that only YAML 1.2 reads, the other one a deployment in another.
    expect(counts).toMatchObject({ flagged: 91, missed: 3, wronged: 2 })
    expect(counts.spared).toBeGreaterThan(1600)
  })
})
