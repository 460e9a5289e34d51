import type { MapNode, Node } from '../../buildfile/tree/node.ts'
import type { LintContext } from '../context/context.ts'
import type { LintRule } from './rule.ts'

export const fileOfAnotherService: LintRule = {
  code: 'file_of_another_service',
  level: 'warn',
  summary: 'A file that was written for another continuous-integration service.',
  why:
    'Files of other services are YAML as well, but almost none of their keys have a meaning here: ' +
    'their commands do not run, and a default script runs instead. Their commands go under ' +
    '`script`, and each of their jobs becomes an entry of `jobs.include`.',
  examples: [
    {
      source:
        'on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: make test\n',
      messages: [
        'this looks like a workflow of GitHub Actions, and its jobs do not run here: put the ' +
          'commands of its steps under "script"',
      ],
    },
    {
      source: 'stages: [test]\nunit:\n  stage: test\n  script: make test\n',
      messages: [
        'this looks like a file of GitLab CI, and its jobs do not run here: write each of its ' +
          'jobs as an entry of "jobs.include"',
      ],
    },
    {
      source: 'steps:\n  - name: test\n    image: golang\n    commands:\n      - go test ./...\n',
      messages: [
        'this looks like a pipeline of Woodpecker or Drone, and its jobs do not run here: put the ' +
          'commands of its steps under "script"',
      ],
    },
    {
      source:
        'version: 2.1\njobs:\n  test:\n    docker:\n      - image: cimg/go:1.22\n    steps:\n' +
        '      - checkout\n      - run: make test\n',
      messages: [
        'this looks like a file of CircleCI, and its jobs do not run here: put the commands of its ' +
          'steps under "script"',
      ],
    },
    {
      source: 'trigger: [main]\npool:\n  vmImage: ubuntu-latest\nsteps:\n  - script: make test\n',
      messages: [
        'this looks like a file of Azure Pipelines, and its jobs do not run here: put the commands of ' +
          'its steps under "script"',
      ],
    },
    {
      source: 'image: node:22\npipelines:\n  default:\n    - step:\n        script: [npm test]\n',
      messages: [
        'this looks like a file of Bitbucket Pipelines, and its jobs do not run here: put the commands ' +
          'of its steps under "script"',
      ],
    },
    { source: 'jobs:\n  include:\n    - stage: test\n      script: make test\n', messages: [] },
    {
      source: 'unit: &unit\n  stage: test\n  script: make\njobs:\n  include: [*unit]\n',
      messages: [],
    },
  ],

  *check(context) {
    if (saysSomething(context)) return
    const found = services.find(({ isIts }) => isIts(context.root))
    if (!found) return
    const message = `this looks like ${found.file}, and its jobs do not run here: ${found.instead}`
    yield { message, path: [], at: context.root.entries[0]?.at ?? context.root }
  },
}

interface Service {
  file: string
  instead: string
  isIts: (root: MapNode) => boolean
}

const ofSteps = 'put the commands of its steps under "script"'

const services: readonly Service[] = [
  {
    file: 'a workflow of GitHub Actions',
    instead: ofSteps,
    isIts: (root) =>
      has(root, 'on') &&
      membersOf(under(root, 'jobs')).some((job) =>
        ['runs-on', 'steps', 'uses'].some((key) => has(job, key)),
      ),
  },
  {
    file: 'a pipeline of Woodpecker or Drone',
    instead: ofSteps,
    isIts: (root) => {
      const kind = under(root, 'kind')
      if (kind?.kind === 'str' && kind.value === 'pipeline') return true
      const steps = [...membersOf(under(root, 'steps')), ...membersOf(under(root, 'pipeline'))]
      return steps.some(
        (step) => has(step, 'image') && (has(step, 'commands') || has(step, 'settings')),
      )
    },
  },
  {
    file: 'a file of CircleCI',
    instead: ofSteps,
    isIts: (root) =>
      has(root, 'version') &&
      (has(root, 'workflows') ||
        membersOf(under(root, 'jobs')).some(
          (job) =>
            has(job, 'steps') &&
            ['docker', 'machine', 'macos', 'executor'].some((key) => has(job, key)),
        )),
  },
  {
    file: 'a file of Azure Pipelines',
    instead: ofSteps,
    isIts: (root) =>
      ['trigger', 'pr', 'pool'].some((key) => has(root, key)) &&
      membersOf(under(root, 'steps')).some((step) =>
        ['script', 'bash', 'task', 'powershell', 'pwsh', 'checkout', 'template'].some((key) =>
          has(step, key),
        ),
      ),
  },
  {
    file: 'a file of Bitbucket Pipelines',
    instead: ofSteps,
    isIts: (root) => {
      const pipelines = under(root, 'pipelines')
      return ['default', 'branches', 'pull-requests', 'tags', 'custom'].some(
        (key) => pipelines && has(pipelines, key),
      )
    },
  },
  {
    file: 'a file of GitLab CI',
    instead: 'write each of its jobs as an entry of "jobs.include"',
    isIts: (root) => {
      const isJob = (node: Node) =>
        has(node, 'script') && (has(node, 'stage') || has(root, 'stages') || has(root, 'image'))
      return root.entries.some(
        ({ key, value }) => !/^[._]/.test(key) && key !== 'jobs' && isJob(value),
      )
    },
  },
]

/** Whether a file runs something of its own: then it is ours, whatever else it contains. */
function saysSomething({ root, config, keySpanOf }: LintContext): boolean {
  if (['language', 'script', 'install'].some((key) => key in config && keySpanOf([key])))
    return true
  const jobs = under(root, 'jobs') ?? under(root, 'matrix')
  return jobs?.kind === 'seq' || (jobs !== undefined && has(jobs, 'include'))
}

function under(node: Node | undefined, wanted: string): Node | undefined {
  return node?.kind === 'map' ? node.entries.find(({ key }) => key === wanted)?.value : undefined
}

const has = (node: Node, key: string) => under(node, key) !== undefined

/** The values of a map, or the entries of a list. */
function membersOf(node: Node | undefined): readonly Node[] {
  if (node?.kind === 'map') return node.entries.map(({ value }) => value)
  return node?.kind === 'seq' ? node.items : []
}
