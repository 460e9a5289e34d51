import type { Path } from '../../buildfile/expand/values.ts'
import { isMap } from '../../domain/config/config-value.ts'
import type { LintContext } from '../context/context.ts'
import { partOf } from '../context/part-of.ts'
import { allCommands, allSections } from '../context/sections.ts'
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
    {
      source:
        'jobs:\n  include:\n    - git: {depth: 3}\n      script: git describe\n' +
        '    - script: make\n      install: git describe\n',
      messages: [
        '"git describe" sees only 3 commits ("git.depth"), and no tag before them: write "depth: false", ' +
          'or run "git fetch --unshallow --tags" before it',
      ],
    },
    {
      source:
        'git: {depth: 5}\nscript: git describe\njobs:\n  include:\n    - name: all of it\n' +
        '      git: {depth: false}\n    - name: little\n',
      messages: [],
    },
  ],
  needs: ['git'],
  commands: /git\s+describe/,

  *check(context) {
    const { once, text: file } = context
    // With other fetches or clones, the available history is not known.
    if (/git\s+(?:-\S+\s+)*(?:fetch|pull|clone)|--unshallow/.test(file)) return
    for (const command of once(allCommands)) {
      const { text, path } = command
      const depth = depthFor(path, context)
      const parts = depth === undefined ? undefined : once(openSplitter)(text)
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

/** The number of commits that a command's job clones; for a command of the root, that all jobs clone. */
function depthFor([first, , index]: Path, { config, once }: LintContext): number | undefined {
  const [root, ...entries] = once(allSections)
  const own = first === 'jobs' ? entries.find(({ path }) => path[2] === index) : undefined
  if (own) return depthOf(own.config.git ?? config.git)
  const depths = new Set(
    [root, ...entries].map((section) => depthOf(section?.config.git ?? config.git)),
  )
  return depths.size === 1 ? depthOf(config.git) : undefined
}

function depthOf(git: unknown): number | undefined {
  return isMap(git) && typeof git.depth === 'number' ? git.depth : undefined
}

function looksBack(command: string): boolean {
  const [, options] = /\bgit\s+describe\b([^;&|)`]*)/.exec(command) ?? []
  return options !== undefined && !/--(?:always|exact-match|all|contains)\b/.test(options)
}
