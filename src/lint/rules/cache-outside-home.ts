import { listOf } from '../../buildfile/expand/values.ts'
import { isMap } from '../../domain/config/config-value.ts'
import { allSections } from '../context/sections.ts'
import { quote } from '../quote.ts'
import type { Advice, LintRule } from './rule.ts'

export const cacheOutsideHome: LintRule = {
  code: 'cache_outside_home',
  level: 'info',
  summary: 'A cached directory outside of the build directory and the home folder.',
  why:
    'Caches are unpacked by the user that the job runs as. Outside of its home folder, which the build ' +
    'directory is in, that user may not be able to write, or finds an empty folder in each job. Where ' +
    'the home folder is depends on the runner, so it is better called `$HOME`.',
  examples: [
    {
      source: 'cache:\n  directories:\n    - /usr/local/rvm\n',
      messages: [
        '"/usr/local/rvm" is outside of the build directory and the home folder, where a job may not ' +
          'be able to write: cache a folder below "$HOME"',
      ],
    },
    {
      source: 'cache:\n  directories:\n    - /home/me/.m2\n',
      messages: ['not every runner has the home folder of "/home/me/.m2": write "$HOME/.m2"'],
      fixed: 'cache:\n  directories:\n    - $HOME/.m2\n',
      onRequest: true,
    },
    {
      source: 'cache:\n  directories:\n    - node_modules\n    - $HOME/.m2\n    - ~/.cache\n',
      messages: [],
    },
  ],
  needs: ['cache'],

  *check({ once, spanOf }) {
    for (const section of once(allSections)) {
      const { cache } = section.config
      for (const [index, folder] of listOf(
        isMap(cache) ? cache.directories : undefined,
      ).entries()) {
        if (typeof folder !== 'string' || !folder.startsWith('/')) continue
        const path = [...section.path, 'cache', 'directories', index]
        yield { ...adviceOn(folder, spanOf(path)), path }
      }
    }
  },
}

function adviceOn(
  folder: string,
  at: { start: number; end: number } | undefined,
): Omit<Advice, 'path'> {
  const below = /^\/home\/[\w-]+(?=\/|$)/.exec(folder)?.[0]
  if (below === undefined) {
    const message =
      `${quote(folder)} is outside of the build directory and the home folder, where a job may not ` +
      'be able to write: cache a folder below "$HOME"'
    return { message }
  }
  const better = `$HOME${folder.slice(below.length)}`
  const message = `not every runner has the home folder of ${quote(folder)}: write ${quote(better)}`
  if (!at || !/^[\w$/.+-]+$/.test(better)) return { message }
  return {
    message,
    fix: { title: `write ${better}`, edits: [{ ...at, text: better }], safe: false },
  }
}
