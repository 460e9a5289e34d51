import { expect, test } from 'vitest'
import { isolationCheck } from '../../src/domain/job/isolation.ts'
import { check } from '../../src/domain/request/check.ts'
import { waitingReasons } from '../../src/texts/waiting-reasons.ts'

test.each([
  [{ state: 'passed', checks: [] }, []],
  [{ state: 'started', checks: [check('stage', false)] }, []],
  [{ state: 'queued', checks: [] }, ['It waits for a free runner.']],
  [{ state: 'received', checks: [] }, ['A runner has claimed it and is preparing the machine.']],
  [{ state: 'created', checks: [] }, ['It has just been created and will be scheduled next.']],
  [{ state: 'created', checks: [check('stage', true)] }, ['It is next in line for a runner.']],
  [
    { state: 'created', checks: [check('approval', false), check('owner_limit', true)] },
    ['It waits for a maintainer to review this commit, which comes from a fork.'],
  ],
  [
    {
      state: 'created',
      checks: [
        check('stage', false, { stage: 3, running_stage: 1, running_stage_name: 'Build\u202E' }),
      ],
    },
    [String.raw`It waits for stage 1 (Build\u202e) to end.`],
  ],
  [
    { state: 'created', checks: [check('stage', false, { stage: 3, running_stage: null })] },
    ['An earlier stage has not ended.'],
  ],
  [
    {
      state: 'created',
      checks: [
        check('repository_limit', false, { running: 2, maximum_number_of_builds: 2 }),
        check('owner_limit', false, { running: 5, limit: 5 }),
      ],
    },
    [
      'It waits for a job of this repository to end: 2 of 2 allowed are queued or running ' +
        '(setting maximum_number_of_builds).',
      'It waits for a job of this owner to end: 5 of 5 allowed are queued or running (setting OWNER_JOBS).',
    ],
  ],
  [
    { state: 'queued', checks: [check('codehost', false, { says: 'it answered 503' })] },
    ['It waits for the code host and is retried later: it answered 503.'],
  ],
  [
    {
      state: 'created',
      checks: [
        check('machine', false, { says: '.service.yml asks for "os: osx", and it has \u202E' }),
      ],
    },
    [
      String.raw`It waits for a matching runner: .service.yml asks for "os: osx", and it has \u202e.`,
    ],
  ],
  [
    { state: 'created', checks: [isolationCheck(false)] },
    [
      'It waits, because no runner can isolate it: install bubblewrap on the machine of the runner, or ' +
        'set JOBS_WITHOUT_ISOLATION=true if everyone who can push to these repositories may read and ' +
        'change everything of the service.',
    ],
  ],
  [
    { state: 'created', checks: [check('owner_limit', false)] },
    [
      'It waits for a job of this owner to end: the maximum number of jobs is queued or running (setting OWNER_JOBS).',
    ],
  ],
] as const)('%j waits because %j', ({ state, checks }, reasons) => {
  expect(waitingReasons({ state, checks: [...checks] })).toEqual(reasons)
})

test.each([
  [{ state: 'queued', checks: [] }, 'It waits for a free runner, as number 3 in the queue.'],
  [
    {
      state: 'created',
      checks: [check('repository_limit', false, { running: 2, maximum_number_of_builds: 2 })],
    },
    'It waits for a job of this repository to end, as number 3 in the queue: 2 of 2 allowed are ' +
      'queued or running (setting maximum_number_of_builds).',
  ],
  [
    { state: 'created', checks: [check('owner_limit', false, { running: 5, limit: 5 })] },
    'It waits for a job of this owner to end, as number 3 in the queue: 5 of 5 allowed are queued or running (setting OWNER_JOBS).',
  ],
] as const)('%j in a queue says its place', ({ state, checks }, reason) => {
  expect(waitingReasons({ state, checks: [...checks] }, 3)).toEqual([reason])
})
