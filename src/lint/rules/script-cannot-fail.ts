import { commandsOf, allSections } from '../context/sections.ts'
import { quote } from '../quote.ts'
import { openSplitter, type Part } from '../shell/parts.ts'
import { isTestCommand } from '../shell/test-command.ts'
import type { LintRule } from './rule.ts'

export const scriptCannotFail: LintRule = {
  code: 'script_cannot_fail',
  level: 'warn',
  summary:
    'A test or build under `script` that is followed by `|| true` or `|| echo …`, so that it always passes.',
  why:
    'A job that cannot fail proves nothing. To see the failure without failing the build, let the job ' +
    'fail and name it under `jobs.allow_failures`.',
  examples: [
    {
      source: 'script: npm test || true\n',
      messages: [
        'the script cannot fail, because "|| true" follows its only command: remove that, and list ' +
          'the job under "jobs.allow_failures" if it may fail',
      ],
    },
    {
      source: 'script:\n  - npm run lint\n  - npm test || true\n',
      messages: [
        'a failure of "npm test" goes unnoticed, because "|| true" follows: remove that, or move the ' +
          'command to a job under "jobs.allow_failures"',
      ],
    },
    {
      source: 'script: npm test || echo "it failed"\n',
      messages: [
        String.raw`the script cannot fail, because "|| echo \"it failed\"" follows its only command: ` +
          'remove that, and list the job under "jobs.allow_failures" if it may fail',
      ],
    },
    { source: 'script: npm test || echo "${X:?it failed}"\n', messages: [] },
    { source: 'script: npm test || { echo "it failed"; exit 1; }\n', messages: [] },
    { source: 'script: npm test || echo "it failed" && exit 1\n', messages: [] },
    { source: 'script:\n  - npm test\n  - npm run coverage || true\n', messages: [] },
    { source: 'script:\n  - npm test\n  - coverage run cli.py wrong || true\n', messages: [] },
    { source: 'script:\n  - npm test\n  - test -d lib && make lib || true\n', messages: [] },
    { source: 'script:\n  - test -e log || true\n  - make\n', messages: [] },
    { source: 'script: test -d docs || exit 1\n', messages: [] },
  ],
  commands: /\|\|/,

  *check({ once }) {
    for (const section of once(allSections)) {
      const commands = commandsOf(section, 'script')
      for (const command of commands) {
        const parts = once(openSplitter)(command.text) ?? []
        const excuse = excuseIn(parts)
        if (excuse === undefined) continue
        const tested = parts.at(-2)?.text ?? ''
        if (commands.length > 1 && !isUnnoticed(parts)) continue
        const message =
          commands.length === 1
            ? `the script cannot fail, because ${quote(`|| ${excuse}`)} follows its only command: remove ` +
              'that, and list the job under "jobs.allow_failures" if it may fail'
            : `a failure of ${quote(tested)} goes unnoticed, because ${quote(`|| ${excuse}`)} follows: ` +
              'remove that, or move the command to a job under "jobs.allow_failures"'
        yield { message, path: command.path }
      }
    }
  },
}

/** Whether the failure of a test is ignored, not that of a condition before it. */
function isUnnoticed([tested, excuse, more]: readonly Part[]): boolean {
  if (!tested || !excuse || more) return false
  return isTestCommand(tested.text) && !mayFail.test(tested.text)
}

/** Tests that only measure or report, or that are expected to fail. */
const mayFail = /cover|report|\bctest\s(?:.*\s)?-D/

/** The command that always succeeds, and that runs whenever the command before it fails. */
function excuseIn(parts: readonly Part[]): string | undefined {
  if (parts.slice(0, -1).some(({ joint }) => joint === ';')) return undefined
  const [tested, last] = parts.slice(-2)
  if (!last || tested?.joint !== '||') return undefined
  return /^(?:true|:|exit 0|\/bin\/true|echo(?:\s(?:(?!:\?)[^<>])*)?)$/.test(last.text)
    ? last.text
    : undefined
}
