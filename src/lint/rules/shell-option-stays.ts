import { allCommands } from '../context/sections.ts'
import { quote } from '../quote.ts'
import type { Rule } from './rule.ts'

const leaving = /^\s*set\s+-(?:[a-z]*e[a-z]*(?:\s+-?o\s+pipefail)?|o\s+errexit)\s*;?\s*$/

export const shellOptionStays: Rule = {
  code: 'shell_option_stays',
  level: 'warn',
  summary: '`set -e` as an entry of its own.',
  why:
    'The entries of a job run in one shell, which runs what comes after them as well. With `set -e` ' +
    'the first command that fails ends that shell: the rest of the phase is skipped, `after_failure` ' +
    'is not run, and the log does not say which command it was. Entries need it not, since the end of ' +
    'each is looked at; put it inside the text of several lines that does.',
  examples: [
    {
      source: 'script:\n  - set -e\n  - make\n',
      messages: [
        '"set -e" holds for all that follows, and ends the job at once where a command fails: ' +
          'remove it, since the end of each entry is looked at',
      ],
    },
    { source: 'script:\n  - |\n    set -e\n    make\n    make test\n', messages: [] },
    { source: 'script:\n  - bash -ec "make; make test"\n', messages: [] },
  ],

  *check({ once }) {
    for (const { text, path } of once(allCommands)) {
      if (!leaving.test(text)) continue
      const message =
        `${quote(text.trim())} holds for all that follows, and ends the job at once where a command ` +
        'fails: remove it, since the end of each entry is looked at'
      yield { message, path }
    }
  },
}
