import { expect, test } from 'vitest'
import {
  changesBetween,
  type Outside,
  outsideText,
  type RunInputs,
} from '../../src/domain/failure/outside.ts'

const inputs: RunInputs = {
  definition: 'd1',
  versions: { 'node --version': 'v20.1.0', Kernel: 'Linux 6.1.0' },
  image: 'node:20',
  image_id: 'sha256:aa',
  runner: 'one',
  event: 'push',
  variables: { TOKEN: 'h1', REGION: 'h2' },
  imports: { 'octavia/shared:ci.yml': 'f1' },
}

const changed: [string, Partial<RunInputs>][] = [
  [
    'the variable TOKEN of the settings has another value',
    { variables: { TOKEN: 'h3', REGION: 'h2' } },
  ],
  ['the variable TOKEN of the settings was removed', { variables: { REGION: 'h2' } }],
  [
    'the variable DEBUG of the settings was added',
    { variables: { ...inputs.variables, DEBUG: 'h4' } },
  ],
  [
    'node --version: v22.0.0 instead of v20.1.0',
    { versions: { ...inputs.versions, 'node --version': 'v22.0.0' } },
  ],
  ['the image is node:22 instead of node:20', { image: 'node:22', image_id: 'sha256:bb' }],
  ['the image node:20 is sha256:bb instead of sha256:aa', { image_id: 'sha256:bb' }],
  [
    'the imported file octavia/shared:ci.yml has another content',
    { imports: { 'octavia/shared:ci.yml': 'f2' } },
  ],
  ['the imported file octavia/shared:ci.yml is imported no longer', { imports: {} }],
  ['the runner is two instead of one', { runner: 'two' }],
  ['the event is cron instead of push', { event: 'cron' }],
  ['the definition of the job has changed', { definition: 'd2' }],
]

function textOf(after: RunInputs, same_commit = true): string {
  const outside: Outside = {
    from: { job_id: 1, number: '7.1', attempt: 1 },
    to: { job_id: 2, number: '8.1', attempt: 1 },
    result: 'failed',
    seconds: 3 * 60 * 60,
    same_commit,
    changes: changesBetween(inputs, after, same_commit),
  }
  return outsideText(outside)
}

const between = 'between job 7.1, which passed, and job 8.1, which failed 3 h later'

test.each(changed)('%s: the only change named', (text, change) => {
  expect(textOf({ ...inputs, ...change })).toBe(`Changed outside the commit ${between}: ${text}.`)
})

test('a text reports that nothing changed', () => {
  const nothing = `Nothing outside the commit is known to have changed ${between}.`
  expect(textOf({ ...inputs }, false)).toBe(nothing)
  expect(textOf({ ...inputs }, true)).toBe(
    `${nothing} The commit is the same as well: the job may be flaky.`,
  )
})

test('steps that a run did not reach are not changes, nor are changes by its own commit', () => {
  const ended = { ...inputs, versions: {}, image: null, image_id: null, definition: 'd2' }
  expect(changesBetween(inputs, ended, false)).toEqual([])
})

test('all changes are named in one sentence, without the values of variables', () => {
  const after = Object.assign({ ...inputs }, ...changed.map(([, change]) => change)) as RunInputs
  const text = textOf(after)
  expect(text).toContain('; and 1 more.')
  for (const hash of Object.values(after.variables)) expect(text).not.toContain(hash)
})

test('sources of imported files can be left out', () => {
  const outside: Outside = {
    from: { job_id: 1, number: '7.1', attempt: 1 },
    to: { job_id: 1, number: '7.1', attempt: 2 },
    result: 'passed',
    seconds: 90,
    same_commit: true,
    changes: changesBetween(inputs, { ...inputs, imports: { 'octavia/shared:ci.yml': 'x' } }, true),
  }
  expect(outsideText(outside, { names: false })).toBe(
    'Changed outside the commit between job 7.1, which failed, and job 7.1 (attempt 2), which passed 2 min later: ' +
      'an imported file has another content.',
  )
})
