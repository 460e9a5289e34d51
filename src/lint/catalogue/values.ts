import { losesWords } from '../fixes/loses-words.ts'
import { quote } from '../quote.ts'
import { becameMap } from './became-map.ts'
import type { Args, Entry } from './entry.ts'
import { kindName } from './kinds.ts'
import { fewValues, nearestValue } from './known-values.ts'

/** Values that are not quite right, or not at all. */
export const values: readonly Entry[] = [
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
    meaning: 'There is no such value, but one that is spelt nearly so. It is read as that one.',
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
      'Only a part of the value is one that is known here: its first line, its first word, or its ' +
      'letters. That part is used, the rest is lost.',
    text: ({ original, value }) =>
      `of ${quote(original)} only ${quote(value)} is understood: write ${quote(value)}` +
      (losesWords(original, value)
        ? ', and the rest where it belongs, in a list or under another key'
        : ''),
    examples: [
      {
        source: 'language: python, 3.10\n',
        messages: [
          'of "python, 3.10" only "python" is understood: write "python", and the rest where it ' +
            'belongs, in a list or under another key',
        ],
        fixed: 'language: python\n',
        onRequest: true,
      },
      {
        source: 'language: ++python++\n',
        messages: ['of "++python++" only "python" is understood: write "python"'],
        fixed: 'language: python\n',
      },
    ],
  },
  {
    code: 'unexpected_seq',
    levels: ['warn'],
    meaning:
      'A list stands where a single value is wanted. Its first entry is used and the others are ' +
      'lost. An entry of `jobs.include` is one job: it has one version, not several.',
    text: ({ value }) =>
      'a single value is wanted here, so of this list only the first entry' +
      `${isPlain(value) ? `, ${quote(value)},` : ''} is used: write that one without a list`,
    examples: [
      {
        source: 'language:\n  - ruby\n',
        messages: [
          'a single value is wanted here, so of this list only the first entry, "ruby", is used: ' +
            'write that one without a list',
        ],
        fixed: 'language:\n    ruby\n',
      },
      {
        source: 'jobs:\n  include:\n    - rvm: [3.2, 3.3]\n',
        messages: [
          'a single value is wanted here, so of this list only the first entry, "3.2", is used: ' +
            'write that one without a list',
        ],
      },
    ],
  },
  {
    code: 'invalid_type',
    levels: ['error'],
    meaning:
      'The value is of another kind than the key takes, and cannot be read as one of that kind. The ' +
      'job cannot make use of it. Most often a command holds a colon and a blank, which make it a key ' +
      'with a value: quotes around the whole command keep it one text.',
    text: (args, { key }) =>
      becameMap(args, key)
        ? `the colon behind ${quote(firstKey(args.value))} makes this a map of keys and values, but it ` +
          'has to be a text: put quotes around the whole entry'
        : `this has to be ${kindName(args.expected)}, but is ${actual(args)}: change it`,
    examples: [
      {
        source: 'git:\n  quiet: 3\n',
        messages: ['this has to be true or false, but is a number, "3": change it'],
      },
      {
        source: 'script:\n  - echo "foo: bar"\n',
        messages: [
          String.raw`the colon behind "echo \"foo" makes this a map of keys and values, but it has to ` +
            'be a text: put quotes around the whole entry',
        ],
        fixed: `script:\n  - 'echo "foo: bar"'\n`,
        onRequest: true,
      },
      {
        source: 'script:\n  - make test || :\n',
        messages: [
          'the colon behind "make test ||" makes this a map of keys and values, but it has to be a ' +
            'text: put quotes around the whole entry',
        ],
        fixed: "script:\n  - 'make test || :'\n",
        onRequest: true,
      },
      {
        source: 'script:\n  - {run: make, in: lib}\n',
        messages: ['this has to be a text, but is a map of keys and values: change it'],
      },
    ],
  },
  {
    code: 'unknown_value',
    levels: ['error'],
    meaning: 'The key takes one of a few values, and this is not one of them, nor spelt alike.',
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
    meaning: 'The text does not have the form that its key requires.',
    text: ({ value }, { key }) =>
      key.at(-1) === 'version'
        ? `${quote(value)} is not a version: write an operator, a blank and a number, as in ">= 1.0"`
        : `${quote(value)} does not have the form that is required here: correct it`,
    examples: [
      {
        source: 'version: latest\n',
        messages: [
          '"latest" is not a version: write an operator, a blank and a number, as in ">= 1.0"',
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
      `the same name is given more than once, ${quote(named(values))}: give each its own`,
    examples: [
      {
        source:
          'jobs:\n  include:\n    - name: a\n      script: x\n    - name: a\n      script: y\n',
        messages: ['the same name is given more than once, "a": give each its own'],
      },
    ],
  },
]

/** What stands there instead; secrets and whole sections are only named by their kind. */
function actual({ expected, actual, value }: Args): string {
  const kind = kindName(actual)
  return isPlain(value) && expected !== 'secure' ? `${kind}, ${quote(value)}` : kind
}

function firstKey(value: unknown): string {
  return Object.keys(value ?? {})[0] ?? ''
}

function isPlain(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

/** The names, which come as a list, or as one text that begins with what they are. */
function named(values: unknown): string {
  return Array.isArray(values) ? values.join(', ') : String(values).replace(/^name: /, '')
}
