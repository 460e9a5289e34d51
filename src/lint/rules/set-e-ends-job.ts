import { commandsOf, sectionsOf } from '../sections.ts'
import { shellParts } from '../shell/parts.ts'
import type { Rule } from './rule.ts'

export const setEEndsJob: Rule = {
  code: 'set_e_ends_job',
  level: 'info',
  summary: '`set -e` in the commands of a build file.',
  why:
    'All commands of a job run in one shell. After `set -e` the first one that fails ends that shell, ' +
    'and with it the job, on the spot: `after_failure` and `after_script` do not run, later commands ' +
    'of `script` neither. Commands that must not fail can be entries of their own, be joined with ' +
    '`&&`, or stand in a script file that has `set -e` to itself.',
  examples: [
    {
      source: 'script:\n  - set -e\n  - make\n  - make test\n',
      messages: [
        'after "set -e" a failing command ends the job on the spot, without "after_failure" and ' +
          '"after_script": put "set +e" behind the commands that it is for, or move them to a file',
      ],
    },
    { source: 'script:\n  - set -e; make; make test; set +e\n', messages: [] },
    { source: 'script:\n  - (set -e; make; make test)\n', messages: [] },
  ],

  *check({ config }) {
    for (const section of sectionsOf(config)) {
      for (const phase of ['before_install', 'install', 'before_script', 'script'] as const) {
        const commands = commandsOf(section, phase)
        const found = commands.find(({ text }) => shellParts(text)?.some((part) => sets(part.text)))
        if (!found || commands.some(({ text }) => /\bset \+\w*e/.test(text))) continue
        const message =
          'after "set -e" a failing command ends the job on the spot, without "after_failure" and ' +
          '"after_script": put "set +e" behind the commands that it is for, or move them to a file'
        yield { message, path: found.path }
      }
    }
  },
}

function sets(command: string): boolean {
  return /^set\s+(?:-[a-z]*e[a-z]*\b|(?:-\w+\s+)?-o\s+errexit\b)/.test(command)
}
