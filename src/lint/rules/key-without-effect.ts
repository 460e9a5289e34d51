import { platformOf, supportsKey } from '../../buildfile/expand/drafts/support.ts'
import { type Config, isBlank, type Path } from '../../buildfile/expand/values.ts'
import type { LintContext } from '../context/context.ts'
import { allSections, sectionKeys } from '../context/sections.ts'
import { quote } from '../quote.ts'
import type { LintRule } from './rule.ts'

export const keyWithoutEffect: LintRule = {
  code: 'key_without_effect',
  level: 'warn',
  summary: 'A key of another language or operating system than any job has.',
  why:
    'Each language has keys of its own, such as `node_js` or `composer_args`, and so have some ' +
    'operating systems. Other jobs ignore them silently. Often `language` is ' +
    'missing, so that its default holds, or is given twice.',
  examples: [
    {
      source: 'language: ruby\nnode_js: 20\nscript: make\n',
      messages: [
        '"node_js" has no effect, because no job uses a language or system that reads it (the language ' +
          'is "ruby"): remove it, or correct "language" or "os"',
      ],
    },
    { source: 'language: node_js\nnode_js: 20\nscript: make\n', messages: [] },
    {
      source:
        'os: linux\njobs:\n  exclude:\n    - os: linux\n  include:\n    - os: linux\n      language: python\n' +
        '      python: 3.6\n      script: make\n    - os: osx\n      language: generic\n      script: make\n',
      messages: [],
    },
    {
      source:
        'language: ruby\nrvm: 3.3\nnpm_args: --quiet\njobs:\n  include:\n    - script: make\n' +
        '    - language: node_js\n      node_js: 20\n',
      messages: [],
    },
  ],

  *check(context) {
    if (context.once(hasOneKind)) return
    const { jobs, complete, total } = context.plan()
    if (!complete || total > jobs.length || jobs.length === 0) return
    const found = new Map<string, Path[]>()
    for (const { config, path } of context.once(allSections)) {
      for (const [key, value] of Object.entries(config)) {
        if (!context.once(keysForOthers).has(key) || isBlank(value)) continue
        // A job with a language that reads the key is left out for another reason.
        if (path.length > 0 && hasOwnLanguageFor(key, config)) continue
        // Defaults are not reported.
        if (context.keySpanOf([...path, key]) === undefined) continue
        const paths = found.get(key)
        if (paths) paths.push([...path, key])
        else found.set(key, [[...path, key]])
      }
    }
    for (const [key, [path = [], ...others]] of found) {
      const more = others.length === 0 ? '' : `, at any of its ${others.length + 1} places`
      const message =
        `"${key}" has no effect${more}, because no job uses a language or system that reads it (the ` +
        `language is ${languagesOf(context)}): remove it, or correct "language" or "os"`
      yield { message, path, about: 'key' }
    }
  },
}

function hasOwnLanguageFor(key: string, { language, os }: Config): boolean {
  return !isBlank(language) && supportsKey(key, platformOf(language, os))
}

/** Whether all jobs have one language that reads all keys: usually true, and then no jobs need to be made. */
function hasOneKind({ config, once }: LintContext): boolean {
  const [, ...included] = once(allSections)
  if (included.some((section) => 'language' in section.config || 'os' in section.config))
    return false
  const platform = platformOf(config.language, config.os)
  // Jobs of one system may be excluded.
  if (config.jobs !== undefined && platform.os.length > 1) return false
  return [...once(sectionKeys)].every((key) => supportsKey(key, platform))
}

/** The keys of the file that have no effect in any of its jobs, but exist for other languages or systems. */
function keysForOthers({ once, plan }: LintContext): ReadonlySet<string> {
  const jobs = plan().jobs.map((job) => job.config)
  const unused = [...once(sectionKeys)].filter(
    (key) => !jobs.some((job) => Object.hasOwn(job, key) && job[key] !== false),
  )
  const platforms = jobs.map(({ language, os }) => platformOf(language, os))
  const isForOthers = (key: string) => platforms.every((platform) => !supportsKey(key, platform))
  return new Set(unused.filter(isForOthers))
}

function languagesOf({ plan }: LintContext): string {
  const languages = new Set(plan().jobs.map(({ config }) => config.language))
  return [...languages].slice(0, 3).map(quote).join(', ')
}
