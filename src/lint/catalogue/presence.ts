import { plain, quote } from '../quote.ts'
import type { CatalogueEntry } from './entry.ts'

/** Messages about missing parts, and about parts that may not stay supported. */
export const presence: readonly CatalogueEntry[] = [
  {
    code: 'default',
    levels: ['info'],
    meaning:
      'The key is missing or empty, so its default applies. This is fine. The installation chooses ' +
      'the defaults and can change them.',
    text: ({ key, default: value }) =>
      `${quote(key)} is not given, so ${quote(value)} is used: write it down if you rely on it`,
    examples: [
      {
        source: 'language: ruby\nos: linux\n',
        messages: ['"dist" is not given, so "focal" is used: write it down if you rely on it'],
      },
    ],
  },
  {
    code: 'required',
    levels: ['error'],
    meaning: 'The section cannot work without this key.',
    text: ({ key }) => `the key ${quote(key)} is required here: add it`,
    examples: [
      {
        source: 'deploy:\n  bucket: releases\n',
        messages: ['the key "provider" is required here: add it'],
      },
    ],
  },
  {
    code: 'empty',
    levels: ['warn'],
    meaning: 'A `secure` key has no encrypted value. It is left out.',
    text: () => '"secure" has no encrypted value and is left out: remove it',
    examples: [
      {
        source: 'env:\n  global:\n    - secure:\n',
        messages: ['"secure" has no encrypted value and is left out: remove it'],
      },
    ],
  },
  {
    code: 'deprecated_key',
    levels: ['warn'],
    meaning:
      'The key still works, but is deprecated. The same is reported for an unknown key ' +
      'that only carries an anchor: it might become a real key one day, so its name should begin ' +
      'with `_` or `.`, which real keys never do.',
    text: ({ key, info }) =>
      String(info).includes('anchor')
        ? `${quote(key)} is not a key, it only holds an anchor: write "_${String(key)}", because ` +
          'names with "_" in front will never be keys'
        : `the key ${quote(key)} is deprecated (${String(info)}): remove or replace it`,
    examples: [
      {
        source: 'language: ruby\nsudo: false\n',
        messages: ['the key "sudo" is deprecated (has no effect any more): remove or replace it'],
        fixed: 'language: ruby\n',
      },
      {
        source: 'shared: &shared\n  script: make\njobs:\n  include:\n    - *shared\n',
        messages: [
          '"shared" is not a key, it only holds an anchor: write "_shared", because names with "_" in ' +
            'front will never be keys',
        ],
        fixed: '_shared: &shared\n  script: make\njobs:\n  include:\n    - *shared\n',
      },
    ],
  },
  {
    code: 'deprecated_value',
    levels: ['warn'],
    meaning: 'The value still works, but is deprecated.',
    text: ({ value, info }) =>
      `the value ${quote(value)} is deprecated (${String(info)}): choose another one`,
    examples: [
      {
        source: 'language: __garnet__\n',
        messages: [
          'the value "__garnet__" is deprecated (experimental language name): choose another one',
        ],
      },
    ],
  },
  {
    code: 'edge',
    levels: ['info'],
    meaning: 'The key or value is experimental: it can change or disappear.',
    text: (_args, { key }) =>
      `${quote(key.at(-1))} is experimental and may change: do not rely on it yet`,
    examples: [
      {
        source: 'stack: connie\n',
        messages: ['"stack" is experimental and may change: do not rely on it yet'],
      },
    ],
  },
  {
    code: 'unsupported',
    levels: ['warn'],
    meaning:
      'The key or value is for other languages or operating systems than those of the file. Only ' +
      'reported on request (option `support`).',
    text: ({ key, value, on_key, on_value }) => {
      const which = typeof value === 'string' ? ` with the value ${quote(value)}` : ''
      return `${quote(key)}${which} does nothing for ${plain(on_key)} ${quote(on_value)}: remove it`
    },
    examples: [
      {
        source: 'language: ruby\nnode_js: 20\n',
        support: true,
        messages: ['"node_js" does nothing for language "ruby": remove it'],
      },
    ],
  },
]
