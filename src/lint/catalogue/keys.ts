import { plain, quote } from '../quote.ts'
import type { CatalogueEntry } from './entry.ts'
import { otherNumberOf, whereKeyBelongs } from './where-key-belongs.ts'

/** Names of keys that are misspelled, outdated or given twice. */
export const keys: readonly CatalogueEntry[] = [
  {
    code: 'alias_key',
    levels: ['info'],
    meaning: 'A key has a second name, often an older one. Both mean the same.',
    text: ({ alias, key }) =>
      `${quote(alias)} is another name for ${quote(key)}: write ${quote(key)}`,
    examples: [
      {
        source: 'matrix:\n  fast_finish: true\n',
        messages: ['"matrix" is another name for "jobs": write "jobs"'],
        fixed: 'jobs:\n  fast_finish: true\n',
      },
    ],
  },
  {
    code: 'overwrite',
    levels: ['error'],
    meaning:
      'A key is given under two of its names. The value under the alternative name wins, and the other ' +
      'one is lost.',
    text: ({ key, other }) =>
      `${quote(key)} is another name for ${quote(other)} and replaces its value: keep one of ` +
      `them, named ${quote(other)}`,
    examples: [
      {
        source: 'rvm: 3.2\nrbenv: 3.3\n',
        messages: [
          '"rbenv" is another name for "rvm" and replaces its value: keep one of them, named "rvm"',
        ],
      },
      {
        source: 'deploy:\n  provider: puppetforge\n  user: me\n  password: $PASSWORD\n',
        messages: [
          '"user" is another name for "username" and replaces its value: keep one of them, named ' +
            '"username"',
        ],
        fixed: 'deploy:\n  provider: puppetforge\n  username: me\n  password: $PASSWORD\n',
      },
    ],
  },
  {
    code: 'strip_key',
    levels: ['warn'],
    meaning:
      'A key has spaces inside its quotes, before or after the name. It is read without them.',
    text: ({ original, key }) =>
      `the key ${quote(original)} has spaces around its name: write ${quote(key)}`,
    examples: [
      {
        source: '" install ": make deps\n',
        messages: ['the key " install " has spaces around its name: write "install"'],
        fixed: 'install: make deps\n',
      },
    ],
  },
  {
    code: 'underscore_key',
    levels: ['info'],
    meaning:
      'Keys are written in lower case, with underscores between their words. Capital letters and ' +
      'dashes are understood as well.',
    text: ({ original, key }) =>
      `${quote(original)} is read as ${quote(key)}: write keys in lower case with underscores`,
    examples: [
      {
        source: 'beforeScript: make deps\n',
        messages: [
          '"beforeScript" is read as "before_script": write keys in lower case with underscores',
        ],
        fixed: 'before_script: make deps\n',
      },
    ],
  },
  {
    code: 'clean_key',
    levels: ['warn'],
    meaning: 'A key contains characters that no key has. It is read as the key without them.',
    text: ({ original, key }) =>
      `the key ${quote(original)} contains invalid characters: write ${quote(key)}`,
    examples: [
      {
        source: 'before__script: make deps\n',
        messages: ['the key "before__script" contains invalid characters: write "before_script"'],
        fixed: 'before_script: make deps\n',
      },
    ],
  },
  {
    code: 'find_key',
    levels: ['warn'],
    meaning: 'There is no such key, but one with a similar spelling. It is read as that one.',
    text: ({ original, key }) =>
      `unknown key ${quote(original)}, read as ${quote(key)}: correct the spelling`,
    examples: [
      {
        source: 'langauge: ruby\n',
        messages: ['unknown key "langauge", read as "language": correct the spelling'],
        fixed: 'language: ruby\n',
      },
      {
        source: 'git:\n  depht: 3\n',
        messages: ['unknown key "depht", read as "depth": correct the spelling'],
        fixed: 'git:\n  depth: 3\n',
      },
    ],
  },
  {
    code: 'duplicate_key',
    levels: ['error'],
    meaning: 'A map holds the same key more than once. All values but the last are lost.',
    text: ({ key }) =>
      `the key ${quote(key)} is given more than once and only the last one counts: join them, or ` +
      'remove the others',
    examples: [
      {
        source: 'os: linux\nscript: make\nos: osx\n',
        messages: [
          'the key "os" is given more than once and only the last one counts: join them, or remove ' +
            'the others',
        ],
      },
      {
        source: 'os: linux\nscript: make\nos: linux\n',
        messages: [
          'the key "os" is given more than once and only the last one counts: join them, or remove ' +
            'the others',
        ],
        fixed: 'script: make\nos: linux\n',
      },
    ],
  },
  {
    code: 'unknown_key',
    levels: ['warn'],
    meaning:
      'The key is unknown here, and no known key has a similar spelling, so it is ignored. ' +
      'Often it is a known key at the wrong depth. Keys of your own, for anchors say, begin with ' +
      '`_` or `.` and are left alone. Of the keys of jobs, `name` and `stage` at the top of the file ' +
      'apply to every job.',
    text: ({ key }, { key: path }) => {
      if (path.length === 0 && (key === 'name' || key === 'stage')) {
        return (
          `${quote(key)} belongs to a single job; at the top of the file it applies to every job without ` +
          'its own: move it to the entries of "jobs.include" that need it'
        )
      }
      const what = `unknown key ${quote(key)} here, ignored`
      const near = otherNumberOf(plain(key), path)
      if (near !== undefined) return `${what}: write ${quote(near)} if that is meant, or remove it`
      const where = whereKeyBelongs(plain(key), path)
      return where === undefined
        ? `${what}: remove it, or begin its name with "_" if it is yours`
        : `${what}: it is known ${where}, move it there or remove it`
    },
    examples: [
      {
        source: 'banana: split\n',
        messages: [
          'unknown key "banana" here, ignored: remove it, or begin its name ' +
            'with "_" if it is yours',
        ],
      },
      {
        source: 'rvm: [3.2, 3.3]\nallow_failures:\n  - rvm: 3.3\n',
        messages: [
          'unknown key "allow_failures" here, ignored: it is known under ' +
            '"jobs", move it there or remove it',
        ],
      },
      {
        source: 'jobs:\n  include:\n    - script: make\n  allow_failure:\n    - os: osx\n',
        messages: [
          'unknown key "allow_failure" here, ignored: write "allow_failures" ' +
            'if that is meant, or remove it',
        ],
      },
      {
        source: 'name: Tests\nscript: make\n',
        messages: [
          '"name" belongs to a single job; at the top of the file it applies to every job without its ' +
            'own: move it to the entries of "jobs.include" that need it',
        ],
      },
      { source: '_banana: &banana split\nscript: *banana\n', messages: [] },
    ],
  },
]
