import { listOf } from '../../buildfile/expand/values.ts'
import { isMap } from '../../domain/config/config-value.ts'
import { branchEntriesOf } from '../context/branch-lists.ts'
import { allSections } from '../context/sections.ts'
import type { LintRule } from './rule.ts'

export const onlyStopsTags: LintRule = {
  code: 'only_stops_tags',
  level: 'warn',
  summary: 'A deployment of tags that `branches.only` excludes from builds.',
  why:
    'For a tag, the lists under `branches` are compared with the name of the tag. An `only` list of ' +
    'branch names therefore excludes every build of a tag, and nothing is ever deployed.',
  examples: [
    {
      source:
        'branches:\n  only: main\ndeploy:\n  provider: script\n  script: make release\n  on:\n' +
        '    tags: true\n',
      messages: [
        'tags are deployed, but "branches.only" names no tag, so none is ever built: add a pattern ' +
          'for tags, such as "/^v\\d/"',
      ],
    },
    {
      source:
        'branches:\n  only:\n    - main\n    - /^v\\d/\ndeploy:\n  provider: script\n' +
        '  script: make release\n  on:\n    tags: true\n',
      messages: [],
    },
    { source: 'branches:\n  only: main\n', messages: [] },
  ],
  needs: ['branches'],

  *check({ config, once }) {
    const only = branchEntriesOf(config).filter(({ list }) => list === 'only')
    // A pattern may be meant for tags, and so may a name that looks like a version.
    if (only.length === 0 || only.some(({ text }) => /^\/|^v?\d+\.\d/.test(text))) return
    const deployments = once(allSections).flatMap((section) => listOf(section.config.deploy))
    const forTags = deployments.some(
      (deployment) => isMap(deployment) && isMap(deployment.on) && deployment.on.tags === true,
    )
    if (!forTags) return
    const message =
      'tags are deployed, but "branches.only" names no tag, so none is ever built: add a pattern ' +
      String.raw`for tags, such as "/^v\d/"`
    yield { message, path: ['branches', 'only'], about: 'key' }
  },
}
