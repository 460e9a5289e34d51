import type { Path } from '../../buildfile/expand/values.ts'
import { keysWithoutEffect, machineEffects } from '../../domain/job/keys-without-effect.ts'
import { allSections } from '../context/sections.ts'
import { quote } from '../quote.ts'
import type { LintRule } from './rule.ts'

/** The default is not reported if written down, because the linter recommends that. */
const defaultDist = 'focal'

export const noEffectInService: LintRule = {
  code: 'no_effect_in_service',
  level: 'info',
  summary: 'A key that this version of the service reads but ignores.',
  why:
    'The service reads the whole language of build files, but does not implement all of it yet. Keys without ' +
    'effect are listed here, on the page of a build, in the logs of its jobs and in the API. The guide to build files lists the supported keys.',
  examples: [
    {
      source: 'language: node_js\ncache: npm\ngit:\n  strategy: tarball\n',
      messages: [
        '"cache" has no effect in this service: nothing is cached',
        '"git.strategy" has no effect in this service: the commit is always fetched with git',
      ],
    },
    {
      source: 'language: shell\nscript: make\nos:\n  - linux\n  - osx\n',
      messages: [
        '"os: osx" needs a runner on such a machine: by default its jobs end with an error where this ' +
          'service has none',
      ],
    },
    {
      source: 'language: shell\nscript: make\nos: osx\narch: arm64\n',
      messages: [
        '"os: osx" needs a runner on such a machine: by default its jobs end with an error where this ' +
          'service has none',
      ],
    },
    { source: 'language: node_js\nos: linux\narch: amd64\ngit:\n  depth: 3\n', messages: [] },
  ],

  *check(context) {
    const found = new Map<string, Path[]>()
    for (const { config, path } of context.once(allSections)) {
      const effects = keysWithoutEffect(config)
        .filter(({ key }) => key !== 'dist' || config.dist !== defaultDist)
        .map(({ key, path: inner, effect }) => ({
          text: `${quote(key)} has no effect in this service: ${effect}`,
          path: inner,
        }))
      const ofMachine = 'os' in config || 'arch' in config ? machineEffects(config) : []
      for (const { text, path: inner } of [...effects, ...ofMachine]) {
        const at = [...path, ...inner]
        // Defaults are not reported.
        if (context.keySpanOf(at.slice(0, path.length + 1)) === undefined) continue
        const paths = found.get(text)
        if (paths) paths.push(at)
        else found.set(text, [at])
      }
    }
    for (const [text, [path = [], ...others]] of found) {
      const more = others.length === 0 ? '' : ` (at ${others.length + 1} places)`
      yield { message: `${text}${more}`, path, about: 'key' }
    }
  },
}
