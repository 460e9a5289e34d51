import { allCommands, type Command, decidingPhases, phases } from '../context/sections.ts'
import { quote } from '../quote.ts'
import { openSplitter, type Part, statements } from '../shell/parts.ts'
import type { LintRule } from './rule.ts'

/** `set -e` or `set -o errexit`, with other flags. */
const leaving = /^\s*set\s+-(?:(?=\w*e)([a-z]+)(?:\s+pipefail)?|o\s+errexit)\s*;?\s*$/

/** Commands that run several others, and commands that define or load such commands. */
const compound = /[(`]|\bfunction\b|(?:^|[;&|\s])(?:\.|source|eval|trap)\s/

export const shellOptionStays: LintRule = {
  code: 'shell_option_stays',
  level: 'warn',
  summary: '`set -e` as an entry of its own, where each entry that follows is one command.',
  why:
    'Each entry is checked for failure anyway. What `set -e` adds is that the shell of the job ends ' +
    'with the first command that fails: `after_failure` and `after_script` are not run, and with a code ' +
    'other than 1 the job is errored instead of failed. It is ' +
    'of use where an entry has several commands, and to leave out the rest of `script` after a ' +
    'failure: there nothing is reported.',
  examples: [
    {
      source: 'before_script: set -e\nscript: make\n',
      messages: [
        '"set -e" ends the shell at a failure, so neither "after_failure" nor "after_script" is run, and ' +
          'with a code other than 1 the job is errored instead of failed; each entry is ' +
          'checked for failure anyway: remove it',
      ],
    },
    {
      source: 'script:\n  - set -e\n  - make && make test\n',
      messages: [
        '"set -e" ends the shell at a failure, so neither "after_failure" nor "after_script" is run, and ' +
          'with a code other than 1 the job is errored instead of failed; each entry is ' +
          'checked for failure anyway: remove it',
      ],
    },
    {
      source: 'before_script: set -euo pipefail\nscript: make\n',
      messages: [
        '"set -euo pipefail" ends the shell at a failure, so neither "after_failure" nor "after_script" ' +
          'is run, and with a code other than 1 the job is errored instead of failed; each ' +
          'entry is checked for failure anyway: remove "e" from it',
      ],
    },
    { source: 'before_script: set -x\nscript: make\n', messages: [] },
    { source: 'before_script: set -e\nscript:\n  - |\n    make\n    make test\n', messages: [] },
    { source: 'script:\n  - set -e\n  - make\n  - make publish\n', messages: [] },
    { source: 'script:\n  - set -e\n  - (make; make test)\n', messages: [] },
    { source: 'install:\n  - set -e\n  - source ci/install.sh\nscript: make\n', messages: [] },
    {
      source:
        'before_script: set -e\nscript: make\njobs:\n  include:\n    - script: make lint; make\n',
      messages: [],
    },
    { source: 'script: make\nafter_success:\n  - set -e\n  - make publish\n', messages: [] },
    { source: 'script:\n  - |\n    set -e\n    make\n    make test\n', messages: [] },
    { source: 'script:\n  - bash -ec "make; make test"\n', messages: [] },
  ],
  commands: /set\s+-/,

  *check({ once }) {
    const commands = once(allCommands)
    const isPlain = ({ text }: Command) => isOneCommand(once(openSplitter)(text))
    for (const command of commands.filter(({ text }) => leaving.test(text))) {
      const { text, path, phase } = command
      if (!decidingPhases.has(phase) || commands.some(({ text }) => compound.test(text))) continue
      const later = commands.filter((other) => isLater(other, command))
      if (!later.every(isPlain) || skipsEntries(later)) continue
      const flags = leaving.exec(text)?.[1] ?? 'e'
      const remedy = flags === 'e' ? 'remove it' : 'remove "e" from it'
      const message =
        `${quote(text.trim())} ends the shell at a failure, so neither "after_failure" nor "after_script" ` +
        'is run, and with a code other than 1 the job is errored instead of failed; each entry is ' +
        `checked for failure anyway: ${remedy}`
      yield { message, path }
    }
  },
}

/** Whether a command may run after another in the same shell. Jobs inherit phases from the root. */
function isLater(command: Command, than: Command): boolean {
  if (command.phase !== than.phase) {
    return phases.indexOf(command.phase) > phases.indexOf(than.phase)
  }
  const [list, ofOther] = [command, than].map(({ path }) => path.slice(0, -1).join(' '))
  return list === ofOther && indexOf(command) > indexOf(than)
}

const indexOf = ({ path }: Command) => Number(path.at(-1))

/** Whether the option makes a failed command skip others of `script`, which run without the option. */
function skipsEntries(commands: readonly Command[]): boolean {
  const inScript = commands.filter(({ phase }) => phase === 'script')
  return inScript.some((command) => indexOf(command) > Math.min(...inScript.map(indexOf)))
}

function isOneCommand(parts: readonly Part[] | undefined): boolean {
  return parts !== undefined && statements(parts).length <= 1
}
