import { mergeModes, type MergeMode } from '../../buildfile/imports/mode.ts'
import { maximumSources } from '../../buildfile/imports/source.ts'
import type { ApiConfig, RequestVariables } from '../../domain/request/request.ts'
import { isStorable } from '../../domain/text/storable-text.ts'
import { parameter } from './parameter.ts'

/** A string to store, with at most this many characters; undefined if missing or empty. */
export const keptText = (maxLength: number) =>
  parameter<string | undefined>({
    schema: {
      type: 'string',
      maxLength,
      pattern: String.raw`^[^\u0000]*$`,
      description: `a text of at most ${maxLength} characters`,
    },
    parse: (given) => (given === null || given === '' ? undefined : given),
  })

/** The full hash of a commit. */
export const commitId = () =>
  parameter<string | undefined>({
    schema: {
      type: 'string',
      pattern: '^(?:[0-9a-f]{40}|[0-9a-f]{64})$',
      description: 'the full hash of a commit, in hex digits',
    },
    parse(given) {
      if (given === null || given === '') return undefined
      return typeof given === 'string' ? given.toLowerCase() : given
    },
  })

/** How a configuration is merged with the ones below it; undefined if not given. */
export const mergeMode = () =>
  parameter<MergeMode | undefined>({
    schema: { type: 'string', enum: mergeModes, description: `one of ${mergeModes.join(', ')}` },
    parse: (given) => (given === null || given === '' ? undefined : given),
  })

/** A configuration, as an object or as text in YAML or JSON; undefined if none was given. */
export const configText = () =>
  parameter<string | undefined>({
    schema: { type: ['object', 'string', 'null'], description: aConfig },
    parse: (given) => (given === undefined ? undefined : (textOf(given) ?? 0)),
    value: (text: string | null | undefined) => text ?? undefined,
  })

/** The build file is read in addition. */
const mostConfigs = maximumSources - 2

/** Several configurations, each with its `mode`, which can also be named `merge_mode`. */
export const configTexts = () =>
  parameter<ApiConfig[] | undefined>({
    schema: {
      type: 'array',
      maxItems: mostConfigs,
      items: {
        type: 'object',
        required: ['config'],
        properties: {
          config: { type: ['object', 'string'] },
          mode: { type: ['string', 'null'], enum: [...mergeModes, null] },
        },
      },
      description: `a list of at most ${mostConfigs} records, each with a config and perhaps a mode`,
    },
    parse: (given) =>
      Array.isArray(given) ? given.map(configIn) : given === null ? undefined : given,
  })

const mostVariables = 100

/** Variables for all jobs, by name; undefined if none were given. */
export const variables = () =>
  parameter<RequestVariables | undefined>({
    schema: {
      type: 'object',
      maxProperties: mostVariables,
      propertyNames: { type: 'string', pattern: '^(?!secure$)[A-Za-z_][A-Za-z0-9_]*$' },
      additionalProperties: {
        anyOf: [
          { type: ['string', 'number', 'boolean'], pattern: String.raw`^[^\u0000]*$` },
          {
            type: 'object',
            required: ['secure'],
            additionalProperties: false,
            properties: { secure: { type: 'string', pattern: String.raw`^[^\u0000]*$` } },
          },
        ],
      },
      description:
        `an object of at most ${mostVariables} variables by name, each a text, or an encrypted text ` +
        'as {"secure": "…"}; plain values can be read by everyone who sees the build, as in env.global; a ' +
        'job’s own variables win',
    },
    parse: (given) => (given === null || given === '' ? undefined : given),
    value(given: GivenVariables | undefined) {
      const entries = Object.entries(given ?? {})
      if (entries.length === 0) return undefined
      return Object.fromEntries(
        entries.map(([name, value]) => [name, typeof value === 'object' ? value : String(value)]),
      )
    },
  })

type GivenVariables = Readonly<Record<string, string | number | boolean | { secure: string }>>

const aConfig = 'a configuration, as an object or a text'

function configIn(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given
  const { config, mode, merge_mode } = given as Record<string, unknown>
  return { config: textOf(config) ?? 0, mode: mode ?? merge_mode ?? null }
}

/** The text of a configuration; null for none, undefined if the value is not a configuration. */
function textOf(given: unknown): string | null | undefined {
  if (given === null || given === '') return null
  const isObject = typeof given === 'object' && !Array.isArray(given)
  const text = isObject ? JSON.stringify(given) : given
  return typeof text === 'string' && isStorable(text) ? text : undefined
}

/** Values for evaluating conditions, by name; undefined if none were given. Unknown names are ignored. */
export const conditionValues = () =>
  parameter<ConditionValues | undefined>({
    schema: {
      type: 'object',
      properties: Object.fromEntries(
        conditionNames.map((name) => [name, { type: ['string', 'boolean', 'null'] }]),
      ),
      description: `an object with some of ${conditionNames.join(', ')}`,
    },
    parse: (given) => (given === null || given === '' ? undefined : given),
    value: (given: ConditionValues | undefined) =>
      given && Object.fromEntries(Object.entries(given).filter(([name]) => isCondition(name))),
  })

type ConditionValues = Readonly<Record<string, string | boolean | null>>

const isCondition = (name: string) => conditionNames.includes(name)

const conditionNames = [
  'type',
  'branch',
  'tag',
  'commit_message',
  'sender',
  'fork',
  'head_repo',
  'head_branch',
]
