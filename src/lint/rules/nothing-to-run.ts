import { type Config, isBlank } from '../../buildfile/expand/values.ts'
import { isMap } from '../../domain/config/config-value.ts'
import { languagesWithoutCommands } from '../../domain/job/language-tools.ts'
import type { LintContext } from '../context/context.ts'
import { allSections, phases } from '../context/sections.ts'
import { quote } from '../quote.ts'
import type { Advice, LintRule } from './rule.ts'

export const nothingToRun: LintRule = {
  code: 'nothing_to_run',
  level: 'warn',
  summary: 'A job without `script`, in a language that has no script of its own.',
  why:
    'Some languages know how their projects are tested. The languages `generic` and `shell` do not: ' +
    'a job that has nothing to run passes without having tested anything. A job of `python` fails, and one ' +
    'of a language without default commands in this service, such as `matlab` or `smalltalk`, ends with an error.',
  examples: [
    {
      source: 'language: shell\n',
      messages: [
        'there is nothing to run, because the language "shell" has no script of its own: add "script"',
      ],
    },
    {
      source: 'language: python\npython: 3.12\ninstall: pip install tox\n',
      messages: [
        'there is nothing to run, because the language "python" has no script of its own: add "script"',
      ],
    },
    {
      source: 'language: smalltalk\ninstall: make image\n',
      messages: [
        'there is nothing to run, because the language "smalltalk" has no default commands in this service: ' +
          'add "script"',
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
    // Most files have no such language, so their jobs need not be made.
    if (!once(allSections).some(({ config }) => isIdleLanguage(config.language))) return
    if (once(hasScripts)) return
    for (const { config, origin } of plan().jobs) {
      const { language } = config
      if (!isIdle(config)) continue
      const lacks = withoutCommands.has(language)
        ? 'no default commands in this service'
        : 'no script of its own'
      const message = `there is nothing to run, because the language ${quote(language)} has ${lacks}: add "script"`
      const { entry } = origin
      yield { message, ...(entry === undefined ? atTop : { path: ['jobs', 'include', entry - 1] }) }
    }
  },
}

/** Whether every job has a script, its own or that of the root. */
function hasScripts({ config: root, once }: LintContext): boolean {
  if (isBlank(root.script)) return false
  return once(allSections).every(({ config }) => !('script' in config) || !isBlank(config.script))
}

/** Position of the file's language. */
const atTop: Pick<Advice, 'path' | 'about'> = { path: ['language'], about: 'key' }

/** Languages whose jobs fail without a script, whatever other phases do. */
const withoutCommands = new Set<unknown>(languagesWithoutCommands)
const failing = new Set<unknown>(['python', ...languagesWithoutCommands])
const idleLanguages = new Set<unknown>(['generic', 'shell', ...failing])
const isIdleLanguage = (language: unknown) => idleLanguages.has(language)

/** Whether a job has nothing to run. Jobs that do not fail may exist for their other phases. */
function isIdle(job: Config): boolean {
  // The Coverity Scan add-on runs a build of its own.
  if (!isBlank(job.script) || (isMap(job.addons) && 'coverity_scan' in job.addons)) return false
  if (!isIdleLanguage(job.language)) return false
  return failing.has(job.language) || [...phases, 'deploy'].every((key) => isBlank(job[key]))
}
