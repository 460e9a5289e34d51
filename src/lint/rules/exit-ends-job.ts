import { isBlank } from '../../buildfile/expand/values.ts'
import type { LintContext } from '../context/context.ts'
import { allCommands, allSections, type Command, decidingPhases } from '../context/sections.ts'
import { openSplitter } from '../shell/parts.ts'
import type { LintRule } from './rule.ts'

export const exitEndsJob: LintRule = {
  code: 'exit_ends_job',
  level: 'warn',
  summary: '`exit 0` before other commands of a job.',
  why:
    'The entries of a job run in one shell, so `exit` ends the whole job, not the phase: the rest, ' +
    'including tests, is not run, and the job passes unless something failed before. Put a condition on the job with ' +
    '`if`, call `service_terminate 0` where the job should really end, or put the commands into a ' +
    'script of their own.',
  examples: [
    {
      source: 'install:\n  - if [ "$SKIP" = 1 ]; then exit 0; fi\n  - make deps\nscript: make\n',
      messages: [
        '"exit 0" ends the whole job with the result so far, and the rest is not run: put the ' +
          'condition on the job with "if", or the commands into a script of their own',
      ],
    },
    {
      source: 'install: ./relevant.sh || exit 0\nscript: make\n',
      messages: [
        '"exit 0" ends the whole job with the result so far, and the rest is not run: put the ' +
          'commands into a script of their own, or call "service_terminate 0" if the job should end there',
      ],
    },
    { source: 'script: bash -c "make || exit 0"\n', messages: [] },
    { source: 'script: (test -f x || exit 0; make)\n', messages: [] },
    { source: 'script: make || exit 1\n', messages: [] },
    { source: 'script: (make fmt && make) || exit 0\n', messages: [] },
    { source: 'script:\n  - make\n  - if [ "$DOCS" != 1 ]; then exit 0; fi\n', messages: [] },
    {
      source:
        'script:\n  - make\n  - if [ "$DOCS" != 1 ]; then exit 0; fi\n' +
        'deploy:\n  provider: script\n  script: make publish\n  on:\n    branch: main\n',
      messages: [
        '"exit 0" ends the whole job with the result so far, and the rest is not run: put the ' +
          'condition on the job with "if", or the commands into a script of their own',
      ],
    },
    { source: 'script: make\nafter_success: test -f x || exit 0\n', messages: [] },
  ],
  commands: /exit\s+0/,

  *check({ once }) {
    const commands = once(allCommands)
    for (const [index, command] of commands.entries()) {
      const { text, path, phase } = command
      if (!decidingPhases.has(phase) || !exitZero.test(text)) continue
      const parts = once(openSplitter)(text)?.map((part) => part.text)
      if (!leaves(text, parts)) continue
      const followed = once(followedSections)
      const isFollowed = ['', path.slice(0, -2).join()].some((section) => followed.has(section))
      if (!isFollowed && isLast(command, commands[index + 1])) continue
      const remedy = condition.test(text)
        ? 'put the condition on the job with "if", or the commands into a script of their own'
        : 'put the commands into a script of their own, or call "service_terminate 0" if the job should ' +
          'end there'
      const message = `"exit 0" ends the whole job with the result so far, and the rest is not run: ${remedy}`
      yield { message, path }
    }
  },
}

/** The paths of the sections with commands or deployments after `script`. */
function followedSections({ once }: LintContext): ReadonlySet<string> {
  const followed = once(allSections).filter(({ config }) =>
    afterwards.some((key) => !isBlank(config[key])),
  )
  return new Set(followed.map(({ path }) => path.join()))
}

/** The keys that run after `script` in a job that passes. */
const afterwards = ['after_success', 'before_deploy', 'deploy', 'after_deploy', 'after_script']

const exitZero = /\bexit\s+0\b/

/** A test whose result decides whether the shell exits. */
const condition = /(?:^|[\s!])(?:\[\[?|test)\s[^\n]*\bexit\s+0\b/

/** Whether nothing follows a command in `script`; after earlier phases, `script` always follows. */
function isLast({ text, path, phase }: Command, next: Command | undefined): boolean {
  if (phase !== 'script' || !/\bexit\s+0\s*(?:;|\bfi\b|\s)*$/.test(text)) return false
  return next?.phase !== phase || next.path.slice(0, -1).join() !== path.slice(0, -1).join()
}

/** Whether the command exits the job's own shell, not a shell that the text starts. */
function leaves(text: string, commands: readonly string[] | undefined): boolean {
  if (commands) return commands.some((command) => /^exit\s+0$/.test(command))
  // The text is more than a list of commands: brackets, quotes and functions may start another shell.
  return (
    /(?:^|[;\n]|\bthen|\belse|&&|\|\|)\s*exit\s+0\s*(?:;|$|\n)/.test(text) &&
    !/[()'"`]|<</.test(text.replaceAll(/\[\[?[^\]]*\]\]?|"\$\{?\w+\}?"/g, ''))
  )
}
