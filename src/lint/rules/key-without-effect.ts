import { platformOf, supportsKey } from '../../buildfile/expand/drafts/support.ts'
import { type Config, isBlank, type Path } from '../../buildfile/expand/values.ts'
import { quote } from '../quote.ts'
import type { Context } from '../context/context.ts'
import { allSections, sectionKeys } from '../context/sections.ts'
import type { Rule } from './rule.ts'

export const keyWithoutEffect: Rule = {
  code: 'key_without_effect',
  level: 'warn',
  summary: 'A key of another language or operating system than any job has.',
  why:
    'Each language has keys of its own, such as `node_js` or `composer_args`, and so have some ' +
    'operating systems. In jobs of another one they are left out without a word. Often `language` is ' +
    'missing, so that its default holds, or is given twice.',
  examples: [
    {
      source: 'language: ruby\nnode_js: 20\nscript: make\n',
      messages: [
        '"node_js" does nothing, since no job is of a language or system that has it (the language ' +
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
        if (isBlank(value) || !context.once(keysForOthers).has(key)) continue
        // A job that says its language itself is left out for something else.
        if (path.length > 0 && hasOwnLanguageFor(key, config)) continue
        // A default is no one's fault.
        if (context.keySpanOf([...path, key]) === undefined) continue
        const paths = found.get(key)
        if (paths) paths.push([...path, key])
        else found.set(key, [[...path, key]])
      }
    }
    for (const [key, [path = [], ...others]] of found) {
      const more = others.length === 0 ? '' : `, at any of its ${others.length + 1} places`
      const message =
        `"${key}" does nothing${more}, since no job is of a language or system that has it (the ` +
        `language is ${languagesOf(context)}): remove it, or correct "language" or "os"`
      yield { message, path, about: 'key' }
    }
  },
}

function hasOwnLanguageFor(key: string, { language, os }: Config): boolean {
  return !isBlank(language) && supportsKey(key, platformOf(language, os))
}

/** Whether all jobs are of one language, which has all the keys: most are, and need not be made. */
function hasOneKind({ config, once }: Context): boolean {
  const platform = platformOf(config.language, config.os)
  return (
    config.jobs === undefined && [...once(sectionKeys)].every((key) => supportsKey(key, platform))
  )
}

/** The keys of the file that are known, but not for any of the jobs there are. */
function keysForOthers({ once, plan }: Context): ReadonlySet<string> {
  const jobs = plan().jobs.map((job) => job.config)
  const unused = [...once(sectionKeys)].filter(
    (key) => !jobs.some((job) => Object.hasOwn(job, key)),
  )
  const platforms = jobs.map(({ language, os }) => platformOf(language, os))
  const isForOthers = (key: string) => platforms.every((platform) => !supportsKey(key, platform))
  return new Set(unused.filter(isForOthers))
}

function languagesOf({ plan }: Context): string {
  const languages = new Set(plan().jobs.map(({ config }) => config.language))
  return [...languages].slice(0, 3).map(quote).join(', ')
}
