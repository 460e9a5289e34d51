import { isBlank } from '../../buildfile/expand/values.ts'
import { rootType } from '../../buildfile/schema/load.ts'
import { fileOfAnotherService } from './file-of-another-service.ts'
import type { LintRule } from './rule.ts'

export const nothingSaid: LintRule = {
  code: 'nothing_said',
  level: 'warn',
  summary: 'A file without a language and without commands.',
  why:
    'Such a file still creates a build: one job of the default language, `ruby`, which runs ' +
    '`rake`. In a project of another kind that fails, for a reason that is hard to see. Name the ' +
    'language, or the commands under `script`, or remove the file.',
  examples: [
    {
      source: '# later\n',
      messages: [
        'this file has no language and no script, so the script of "ruby" is run: add "language" or "script"',
      ],
    },
    {
      source: 'os: linux\ngit:\n  depth: 3\n',
      messages: [
        'this file has no language and no script, so the script of "ruby" is run: add "language" or "script"',
      ],
    },
    { source: 'script: make\n', messages: [] },
    { source: 'rvm: 3.3\n', messages: [] },
    { source: 'cache: bundler\n', messages: [] },
    { source: 'import: shared.yml\n', messages: [] },
    { source: 'jobs:\n  include:\n    - script: make\n', messages: [] },
  ],

  *check(context) {
    const { config, root } = context
    if (config.language !== 'ruby' || context.keySpanOf(['language'])) return
    if (Object.keys(config).some((key) => saysMore(key) && !isBlank(config[key]))) return
    if ([...fileOfAnotherService.check(context)].length > 0) return
    const message =
      'this file has no language and no script, so the script of "ruby" is run: add "language" or "script"'
    yield { message, path: [], at: root }
  },
}

/** Keys that only set where, when or how something is built. */
const settings: ReadonlySet<string> = new Set([
  ...['language', 'os', 'dist', 'arch', 'osx_image', 'sudo', 'group', 'virt', 'vm', 'git', 'if'],
  ...['branches', 'notifications', 'stages', 'conditions', 'version', 'keys', 'keep_netrc'],
])

function saysMore(key: string): boolean {
  const type = rootType()
  return type.kind === 'map' && key in type.keys && !settings.has(key)
}
