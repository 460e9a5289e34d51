import { isMap } from '../../domain/config-value.ts'
import { type Config, isBlank } from '../../buildfile/expand/values.ts'
import { languagesWithoutCommands } from '../../domain/job/languages-without-commands.ts'
import { quote } from '../quote.ts'
import { allSections, phases } from '../context/sections.ts'
import type { Advice, Rule } from './rule.ts'

export const nothingToRun: Rule = {
  code: 'nothing_to_run',
  level: 'warn',
  summary: 'A job without `script`, in a language that has no script of its own.',
  why:
    'Some languages know how their projects are tested. The languages `generic` and `shell` do not: ' +
    'a job that has nothing to run passes without having tested anything. A job of another language ' +
    'without a script of its own, such as `python`, `scala` or `elixir`, fails.',
  examples: [
    {
      source: 'language: shell\n',
      messages: [
        'there is nothing to run, since the language "shell" has no script of its own: add "script"',
      ],
    },
    {
      source: 'language: python\npython: 3.12\ninstall: pip install tox\n',
      messages: [
        'there is nothing to run, since the language "python" has no script of its own: add "script"',
      ],
    },
    {
      source: 'language: elixir\ninstall: mix deps.get\n',
      messages: [
        'there is nothing to run, since the language "elixir" has no script of its own: add "script"',
      ],
    },
    { source: 'language: shell\nscript: make\n', messages: [] },
    {
      source: 'language: shell\nscript: skip\ndeploy:\n  provider: script\n  script: make\n',
      messages: [],
    },
    { source: 'language: ruby\n', messages: [] },
  ],

  *check({ once, plan }) {
    // Most files show that no job can be like this, without its jobs being made.
    if (!once(allSections).some(({ config }) => isIdleLanguage(config.language))) return
    for (const { config, origin } of plan().jobs) {
      const { language } = config
      if (!isIdle(config)) continue
      const message =
        `there is nothing to run, since the language ${quote(language)} has no script of its own: ` +
        'add "script"'
      const { entry } = origin
      yield { message, ...(entry === undefined ? atTop : { path: ['jobs', 'include', entry - 1] }) }
    }
  },
}

/** Where the language of a file stands. */
const atTop: Pick<Advice, 'path' | 'about'> = { path: ['language'], about: 'key' }

/** Their jobs fail without a script, whatever else they do. */
const failing = new Set<unknown>(['python', ...languagesWithoutCommands])
const idleLanguages = new Set<unknown>(['generic', 'shell', ...failing])
const isIdleLanguage = (language: unknown) => idleLanguages.has(language)

/** Those that do not fail may be for whatever else they do. */
function isIdle(job: Config): boolean {
  // An add-on of that kind runs a build of its own.
  if (!isBlank(job.script) || (isMap(job.addons) && 'coverity_scan' in job.addons)) return false
  if (!isIdleLanguage(job.language)) return false
  return failing.has(job.language) || [...phases, 'deploy'].every((key) => isBlank(job[key]))
}
