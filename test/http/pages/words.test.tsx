import { describe, expect, test } from 'vitest'
import { check } from '../../../src/domain/check.ts'
import { checkValues, checkWords } from '../../../src/http/pages/parts/check-words.ts'
import { bodyOf, subjectOf } from '../../../src/http/pages/parts/commit-words.tsx'
import { configSummary } from '../../../src/http/pages/parts/config-summary.ts'
import { durationText, secondsOf } from '../../../src/http/pages/parts/duration.tsx'
import { isWebAddress } from '../../../src/http/pages/parts/external-link.tsx'
import { timeAgo } from '../../../src/http/pages/parts/time.tsx'
import { whyWaiting } from '../../../src/http/pages/parts/why-waiting.ts'
import * as paths from '../../../src/http/pages/paths.ts'
import { before, noon } from './records.ts'

test.each([
  [0, '0 s'],
  [0.337, '0.34 s'],
  [9.4, '9.4 s'],
  [12.34, '12.3 s'],
  [45, '45 s'],
  [60, '1 min'],
  [61.9, '1 min 1 s'],
  [3599, '59 min 59 s'],
  [3600, '1 h'],
  [7320, '2 h 2 min'],
  [90_000, '25 h'],
])('%d seconds read %j', (seconds, text) => {
  expect(durationText(seconds)).toBe(text)
})

test.each([
  [{ started_at: null, finished_at: null }, null],
  [{ started_at: before(90), finished_at: null }, 90],
  [{ started_at: before(90), finished_at: before(30) }, 60],
  [{ started_at: before(-5), finished_at: null }, 0],
])('%j took %j seconds at noon', (span, seconds) => {
  expect(secondsOf(span, noon)).toBe(seconds)
})

test.each([
  [-60, 'just now'],
  [0, 'just now'],
  [44, 'just now'],
  [45, '1 minute ago'],
  [119, '1 minute ago'],
  [120, '2 minutes ago'],
  [3600, '1 hour ago'],
  [86_399, '23 hours ago'],
  [86_400, '1 day ago'],
  [30 * 86_400, '30 days ago'],
  [31 * 86_400, 'on 2025-04-19'],
])('%d seconds before noon was %j', (seconds, text) => {
  expect(timeAgo(before(seconds), noon)).toBe(text)
})

test.each([
  ['https://example.com/', true],
  ['HTTP://example.com', true],
  ['javascript:alert(1)', false],
  [' https://example.com', false],
  ['data:text/html,x', false],
  ['//example.com', false],
  ['', false],
])('%j is an address of the web: %s', (address, expected) => {
  expect(isWebAddress(address)).toBe(expected)
})

test.each([
  ['Subject', 'Subject', ''],
  ['\n\nSubject  \n\nBody\nof two lines\n', 'Subject', 'Body\nof two lines'],
  ['Subject\r\n\r\nBody', 'Subject', 'Body'],
  ['', '(no message)', ''],
  [' \n ', '(no message)', ''],
])('the message %j has the subject %j and the body %j', (message, subject, body) => {
  expect([subjectOf({ message }), bodyOf({ message })]).toEqual([subject, body])
})

test('paths stand under the prefix and hold names as they are', () => {
  const repository = { owner_name: 'octavia', name: 'a/b?c' }
  expect([
    paths.homePath('/ci'),
    paths.homePath(''),
    paths.stylePath('/ci', 'a b'),
    paths.repositoryPath('/ci', repository),
    paths.buildPath('/ci', repository, { id: 9 }),
    paths.jobPath('', repository, { id: 21 }),
    paths.logPath('/ci', { id: 21 }),
  ]).toEqual([
    '/ci/',
    '/',
    '/ci/assets/style.css?v=a%20b',
    '/ci/octavia/a%2Fb%3Fc',
    '/ci/octavia/a%2Fb%3Fc/builds/9',
    '/octavia/a%2Fb%3Fc/jobs/21',
    '/ci/jobs/21/log',
  ])
})

describe('checks', () => {
  test.each([
    [check('skip_command', true), 'The commit message does not ask to skip the build'],
    [check('skip_command', false), 'The commit message asks to skip the build'],
    [check('some_later_rule', true), 'some later rule'],
    [check('constructor', false), 'constructor'],
  ])('%j reads %j', (made, words) => {
    expect(checkWords(made)).toBe(words)
  })

  test('show what they saw, and not what there was not', () => {
    const made = check('branches', false, {
      branch: 'main',
      entry: null,
      running: 2,
      found: false,
      list: ['a', 'b'],
      long: 'x'.repeat(300),
    })
    expect(checkValues(made)).toEqual([
      'branch: main',
      'running: 2',
      'found: false',
      'list: ["a","b"]',
      `long: ${'x'.repeat(200)}…`,
    ])
  })
})

test.each([
  [{ state: 'passed', checks: [] }, []],
  [{ state: 'started', checks: [check('stage', false)] }, []],
  [{ state: 'queued', checks: [] }, ['It waits for a free runner.']],
  [{ state: 'received', checks: [] }, ['A runner has taken it and prepares the machine.']],
  [{ state: 'created', checks: [] }, ['It has just been made and will be looked at next.']],
  [{ state: 'created', checks: [check('stage', true)] }, ['It is next in line for a runner.']],
  [
    { state: 'created', checks: [check('approval', false), check('owner_limit', true)] },
    ['It waits until a maintainer approves this commit, which comes from a fork.'],
  ],
  [
    { state: 'created', checks: [check('stage', false, { stage: 3, running_stage: 1 })] },
    ['It waits for stage 1 to end.'],
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
      'It waits for a job of this repository to end: 2 of 2 allowed are running ' +
        '(setting maximum_number_of_builds).',
      'It waits for a job of this owner to end: 5 of 5 allowed are running.',
    ],
  ],
  [
    { state: 'queued', checks: [check('codehost', false, { says: 'it answered 503' })] },
    ['It waits for the code host, which is asked again by and by: it answered 503.'],
  ],
  [
    { state: 'created', checks: [check('owner_limit', false)] },
    ['It waits for a job of this owner to end: as many as allowed are running.'],
  ],
] as const)('%j waits because %j', ({ state, checks }, reasons) => {
  expect(whyWaiting({ state, checks: [...checks] })).toEqual(reasons)
})

describe('the summary of a config', () => {
  const secret = { secure: 'c2VjcmV0' }

  test.each([
    [{}, {}],
    [
      { language: 'ruby', os: 'linux', dist: 'jammy', script: 'make' },
      { language: 'ruby', os: 'linux', dist: 'jammy' },
    ],
    [{ os: ['linux', 'osx'] }, { os: 'linux, osx' }],
    [{ env: 'A=1 B=2' }, { env: 'A=1 B=2' }],
    [
      { env: ['A=1', { B: 2 }, secret, { TOKEN: secret }] },
      { env: 'A=1 B=2 [secure] TOKEN=[secure]' },
    ],
    [
      { language: secret, os: [secret], dist: { name: secret } },
      { language: '[secure]', os: '[secure]' },
    ],
    [{ deploy: { api_key: secret }, source_key: 'key' }, {}],
    [{ language: null, env: [] }, {}],
  ])('of %j is %j', (config, expected) => {
    const entries = configSummary(config, false).map(({ name, value }) => [name, value])
    expect(Object.fromEntries(entries)).toEqual(expected)
  })

  test('says nothing of secure values in builds of forks', () => {
    expect(configSummary({ env: ['A=1', secret] }, true)).toEqual([{ name: 'env', value: 'A=1' }])
  })
})
