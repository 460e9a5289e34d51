import type { Config } from '../../buildfile/expand/values.ts'
import { isMap } from '../../domain/config/config-value.ts'
import { partOf } from '../context/part-of.ts'
import { allCommands } from '../context/sections.ts'
import { quote } from '../quote.ts'
import { openSplitter } from '../shell/parts.ts'
import type { LintRule } from './rule.ts'

export const describeWithoutTags: LintRule = {
  code: 'describe_without_tags',
  level: 'warn',
  summary: '`git describe` in a clone whose depth is limited.',
  why:
    '`git describe` looks for the newest tag before the commit. With `git.depth: 5` only five commits ' +
    'are cloned, so it fails, or names another tag, as soon as the last one is further away. Without ' +
    'the limit (`git.depth: false`), or after `git fetch --unshallow --tags`, all tags are there.',
  examples: [
    {
      source: 'git:\n  depth: 5\nscript: make VERSION="$(git describe --tags)"\n',
      messages: [
        '"git describe" sees only 5 commits ("git.depth"), and no tag before them: write "depth: false", ' +
          'or run "git fetch --unshallow --tags" before it',
      ],
    },
    { source: 'git:\n  depth: false\nscript: git describe --tags\n', messages: [] },
    { source: 'script: git describe --tags\n', messages: [] },
    { source: 'git: {depth: 5}\nscript: git describe --tags --always\n', messages: [] },
    { source: 'git: {depth: 5}\nscript: git describe --exact-match\n', messages: [] },
    {
      source: 'git: {depth: 5}\ninstall: git fetch --unshallow --tags\nscript: git describe\n',
      messages: [],
    },
    { source: 'git: {depth: 5}\nscript: cd /opt/tool && git describe\n', messages: [] },
  ],
  needs: ['git'],
  commands: /git\s+describe/,

  *check(context) {
    const { once, config, text: file } = context
    const depth = depthOf(config)
    // Without a common depth, or with other fetches or clones, the available history is not known.
    if (depth === undefined || /git\s+(?:-\S+\s+)*(?:fetch|pull|clone)|--unshallow/.test(file))
      return
    for (const command of once(allCommands)) {
      const { text, path } = command
      const parts = once(openSplitter)(text)
      if (!parts || parts.some((part) => /^(?:cd|pushd)\s/.test(part.text))) continue
      const found = parts.find((part) => looksBack(part.text))
      if (!found) continue
      const message =
        `${quote('git describe')} sees only ${depth} commits ("git.depth"), and no tag before them: ` +
        'write "depth: false", or run "git fetch --unshallow --tags" before it'
      yield { message, path, ...partOf(context, command, found) }
    }
  },
}

/** The number of commits that every job clones. */
function depthOf({ git, jobs }: Config): number | undefined {
  const isOwn = JSON.stringify(jobs ?? null).includes('"git":')
  return !isOwn && isMap(git) && typeof git.depth === 'number' ? git.depth : undefined
}

function looksBack(command: string): boolean {
  const [, options] = /\bgit\s+describe\b([^;&|)`]*)/.exec(command) ?? []
  return options !== undefined && !/--(?:always|exact-match|all|contains)\b/.test(options)
}
