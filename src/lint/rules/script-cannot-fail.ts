import { quote } from '../quote.ts'
import { commandsOf, allSections } from '../context/sections.ts'
import { openSplitter, type Part } from '../shell/parts.ts'
import type { Rule } from './rule.ts'

export const scriptCannotFail: Rule = {
  code: 'script_cannot_fail',
  level: 'warn',
  summary: 'A `script` whose only command is followed by `|| true`, so that the job always passes.',
  why:
    'A job that cannot fail says nothing. To see the failure without failing the build, let the job ' +
    'fail and name it under `jobs.allow_failures`.',
  examples: [
    {
      source: 'script: npm test || true\n',
      messages: [
        'the script cannot fail, since "|| true" follows its only command: remove that, and list ' +
          'the job under "jobs.allow_failures" if it may fail',
      ],
    },
    { source: 'script:\n  - npm test\n  - npm run coverage || true\n', messages: [] },
    { source: 'script: test -d docs || exit 1\n', messages: [] },
  ],
  mentions: /\|\|/,

  *check({ once }) {
    for (const section of once(allSections)) {
      const commands = commandsOf(section, 'script')
      const [command] = commands
      if (commands.length !== 1 || !command) continue
      const excuse = excuseIn(once(openSplitter)(command.text) ?? [])
      if (excuse === undefined) continue
      const message =
        `the script cannot fail, since ${quote(`|| ${excuse}`)} follows its only command: remove ` +
        'that, and list the job under "jobs.allow_failures" if it may fail'
      yield { message, path: command.path }
    }
  },
}

/** The command that always succeeds and is run whenever the one before it fails. */
function excuseIn(parts: readonly Part[]): string | undefined {
  if (parts.slice(0, -1).some(({ joint }) => joint === ';')) return undefined
  const [tested, last] = parts.slice(-2)
  if (!last || tested?.joint !== '||') return undefined
  return /^(?:true|:|exit 0|\/bin\/true)$/.test(last.text) ? last.text : undefined
}
