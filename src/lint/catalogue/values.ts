import { losesWords } from '../fixes/loses-words.ts'
import { quote } from '../quote.ts'
import { becameMap } from './became-map.ts'
import type { Args, CatalogueEntry } from './entry.ts'
import { kindName } from './kinds.ts'
import { fewValues, nearestValue } from './known-values.ts'
import { isKeyUnder } from './where-key-belongs.ts'

/** Messages about inexact and invalid values. */
export const values: readonly CatalogueEntry[] = [
  {
    code: 'alias_value',
    levels: ['info'],
    meaning: 'A value has a second name. Both mean the same.',
    text: ({ alias, value }) =>
      `${quote(alias)} is another name for ${quote(value)}: write ${quote(value)}`,
    examples: [
      {
        source: 'services:\n  - redis-server\n',
        messages: ['"redis-server" is another name for "redis": write "redis"'],
        fixed: 'services:\n  - redis\n',
      },
    ],
  },
  {
    code: 'downcase',
    levels: ['info'],
    meaning:
      'Values of this key are written in lower case. Capital letters are understood as well.',
    text: ({ value }) =>
      `${quote(value)} is read in lower case: write ${quote(String(value).toLowerCase())}`,
    examples: [
      {
        source: 'language: Ruby\n',
        messages: ['"Ruby" is read in lower case: write "ruby"'],
        fixed: 'language: ruby\n',
      },
    ],
  },
  {
    code: 'find_value',
    levels: ['warn', 'info'],
    meaning: 'There is no such value, but one with a similar spelling. It is read as that one.',
    text: ({ original, value }) =>
      `there is no value ${quote(original)}, it is read as ${quote(value)}: correct the spelling`,
    examples: [
      {
        source: 'services:\n  - mysq\n',
        messages: ['there is no value "mysq", it is read as "mysql": correct the spelling'],
        fixed: 'services:\n  - mysql\n',
      },
    ],
  },
  {
    code: 'clean_value',
    levels: ['warn'],
    meaning:
      'Only a part of the value is known: its first line, its first word, or its letters. That part ' +
      'is used, the rest is lost.',
    text: ({ original, value }) =>
      `only ${quote(value)} in ${quote(original)} is understood: write ${quote(value)}` +
      (losesWords(original, value) ? ', and move the rest into a list or under another key' : ''),
    examples: [
      {
        source: 'language: python, 3.10\n',
        messages: [
          'only "python" in "python, 3.10" is understood: write "python", and move the rest into ' +
            'a list or under another key',
        ],
        fixed: 'language: python\n',
        onRequest: true,
      },
      {
        source: 'language: ++python++\n',
        messages: ['only "python" in "++python++" is understood: write "python"'],
        fixed: 'language: python\n',
      },
    ],
  },
  {
    code: 'unexpected_seq',
    levels: ['warn'],
    meaning:
      'A list is given where a single value is expected. Its first entry is used and the others are ' +
      'lost. An entry of `jobs.include` is one job: it has one version, not several.',
    text: ({ value }) =>
      'a single value is expected here, so only the first entry of this list' +
      `${isPlain(value) ? `, ${quote(value)},` : ''} is used: write it without a list`,
    examples: [
      {
        source: 'language:\n  - ruby\n',
        messages: [
          'a single value is expected here, so only the first entry of this list, "ruby", is used: ' +
            'write it without a list',
        ],
        fixed: 'language:\n    ruby\n',
      },
      {
        source: 'jobs:\n  include:\n    - rvm: [3.2, 3.3]\n',
        messages: [
          'a single value is expected here, so only the first entry of this list, "3.2", is used: ' +
            'write it without a list',
        ],
      },
    ],
  },
  {
    code: 'invalid_type',
    levels: ['error'],
    meaning:
      'The value has the wrong type for this key, and cannot be converted. The job cannot use it. Most ' +
      'often a command contains a colon and a space, which make it a key with a value: quotes around the whole command keep it a string.',
    text: (args, { key }) =>
      becameMap(args, key)
        ? `the colon after ${quote(firstKey(args.value))} makes this a mapping, but it must be a string: ` +
          'put quotes around the whole entry'
        : lacksColon(args, key)
          ? `a colon is missing after ${quote(firstWord(args.value))}, so this is a string, but it must ` +
            'be a mapping: write the key, a colon and a space before the value'
          : `this must be ${kindName(args.expected)}, but is ${actual(args)}: change it`,
    examples: [
      {
        source: 'git:\n  quiet: 3\n',
        messages: ['this must be true or false, but is a number, "3": change it'],
      },
      {
        source: 'script:\n  - echo "foo: bar"\n',
        messages: [
          String.raw`the colon after "echo \"foo" makes this a mapping, but it must be a string: put ` +
            'quotes around the whole entry',
        ],
        fixed: `script:\n  - 'echo "foo: bar"'\n`,
        onRequest: true,
      },
      {
        source: 'script:\n  - make test || :\n',
        messages: [
          'the colon after "make test ||" makes this a mapping, but it must be a string: put quotes ' +
            'around the whole entry',
        ],
        fixed: "script:\n  - 'make test || :'\n",
        onRequest: true,
      },
      {
        source: 'jobs:\n  include:\n    - env FOO=foo\n',
        messages: [
          'a colon is missing after "env", so this is a string, but it must be a mapping: write the ' +
            'key, a colon and a space before the value',
        ],
      },
      {
        source: 'script:\n  - {run: make, in: lib}\n',
        messages: ['this must be a string, but is a mapping: change it'],
      },
    ],
  },
  {
    code: 'unknown_value',
    levels: ['error'],
    meaning:
      'The key accepts a fixed set of values, and this is not one of them, and not similar to one.',
    text: ({ value }, { key }) => {
      const few = fewValues(key)?.map(quote).join(', ')
      const near = nearestValue(key, String(value))
      const choice = few ? `one of ${few}` : 'another value'
      const guess = near === undefined ? '' : `; the nearest is ${quote(near)}`
      return `${quote(value)} is not known here: choose ${choice}${guess}`
    },
    examples: [
      {
        source: 'git:\n  strategy: teleport\n',
        messages: ['"teleport" is not known here: choose one of "clone", "tarball"'],
      },
      {
        source: 'language: klingon\n',
        messages: ['"klingon" is not known here: choose another value'],
      },
      {
        source: 'script: make\ndeploy:\n  provider: herokuish\n',
        messages: ['"herokuish" is not known here: choose another value; the nearest is "heroku"'],
      },
    ],
  },
  {
    code: 'invalid_format',
    levels: ['error'],
    meaning: 'The text does not have the required format.',
    text: ({ value }, { key }) =>
      key.at(-1) === 'version'
        ? `${quote(value)} is not a version: write an operator, a space and a number, as in ">= 1.0"`
        : `${quote(value)} does not have the required format: correct it`,
    examples: [
      {
        source: 'version: latest\n',
        messages: [
          '"latest" is not a version: write an operator, a space and a number, as in ">= 1.0"',
        ],
      },
    ],
  },
  {
    code: 'duplicate',
    levels: ['info', 'error'],
    meaning:
      'Each name should be used once: names of job entries distinguish the jobs (`info`), and names ' +
      'of virtual machines to create must differ (`error`).',
    text: ({ values }) =>
      `the same name is used more than once: ${quote(named(values))}: give each its own`,
    examples: [
      {
        source:
          'jobs:\n  include:\n    - name: a\n      script: x\n    - name: a\n      script: y\n',
        messages: ['the same name is used more than once: "a": give each its own'],
      },
    ],
  },
]

/** The value found instead; secrets and whole sections are named by their kind only. */
function actual({ expected, actual, value }: Args): string {
  const kind = kindName(actual)
  return isPlain(value) && expected !== 'secure' ? `${kind}, ${quote(value)}` : kind
}

/** Whether the text would be a map, if there were a colon after its first word. */
function lacksColon({ expected, actual, value }: Args, path: readonly string[]): boolean {
  return (
    expected === 'map' &&
    actual === 'str' &&
    /^\S+ +\S/.test(String(value)) &&
    isKeyUnder(path, firstWord(value))
  )
}

const firstWord = (text: unknown) => String(text).split(' ', 1).join()

function firstKey(value: unknown): string {
  return Object.keys(value ?? {})[0] ?? ''
}

function isPlain(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

/** The names, given as a list or as one text with the prefix `name: `. */
function named(values: unknown): string {
  return Array.isArray(values) ? values.join(', ') : String(values).replace(/^name: /, '')
}
