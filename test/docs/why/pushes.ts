import { plain, pushed, pushedTo, type Situation, tagged } from './situation.ts'

/** Pushes of branches and tags. */
export const pushes: Situation[] = [
  { title: 'A push with a good build file', file: plain, act: pushed },
  {
    title: 'A tag is pushed, and nothing is said about branches',
    file: plain,
    act: tagged('v1.0'),
  },
  {
    title: 'The commit message has a skip command',
    file: plain,
    act: ({ push }, file) => push(file, { message: 'Fix a typo [skip ci]' }),
  },
  {
    title: 'The skip command is in the body of the message',
    file: plain,
    act: ({ push }, file) => push(file, { message: 'Fix a typo\n\nNothing to test.\n[ci skip]' }),
  },
  {
    title: 'A branch that is not among those listed',
    file: 'script: make\nbranches:\n  only:\n    - main\n    - /^release-/\n',
    act: pushedTo('topic'),
  },
  {
    title: 'A tag where only branches are listed',
    file: 'script: make\nbranches:\n  only:\n    - main\n',
    act: tagged('v1.0'),
  },
  {
    title: 'A branch that is excluded by a pattern',
    file: 'script: make\nbranches:\n  except:\n    - legacy\n    - /^wip/\n',
    act: pushedTo('wip-search'),
  },
  {
    title: 'The only pattern cannot be read, so it matches nothing',
    file: 'script: make\nbranches:\n  only: /(main/\n',
    act: pushed,
  },
  { title: 'A branch for pages', file: plain, act: pushedTo('gh-pages') },
  {
    title: 'A branch of a merge queue, pushed by the queue itself',
    file: plain,
    act: pushedTo('gh-readonly-queue/main/pr-1-0a1b'),
  },
]
