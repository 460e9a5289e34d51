import { describe, expect, test } from 'vitest'
import { check } from '../../src/domain/request/check.ts'
import { checkValues, checkText } from '../../src/texts/check-text.ts'

describe('checks', () => {
  test.each([
    [check('skip_command', true), 'The commit message does not ask to skip the build'],
    [check('skip_command', false), 'The commit message asks to skip the build'],
    [check('head', true), 'The pull request is still at this head'],
    [check('some_later_rule', true), 'some later rule'],
    [check('constructor', false), 'constructor'],
  ])('%j reads %j', (made, words) => {
    expect(checkText(made)).toBe(words)
  })

  test('show what they saw, and not what there was not', () => {
    const made = check('branches', false, {
      branch: 'main',
      entry: null,
      running: 2,
      found: false,
      saw: {},
      saw_also: { branch: 'main\u202E', tag: null },
      list: ['a', 'b'],
      long: 'x'.repeat(300),
    })
    expect(checkValues(made)).toEqual([
      'branch: main',
      'running: 2',
      'found: false',
      String.raw`saw_also: branch was "main\u202e", tag was blank`,
      'list: a; b',
      `long: ${'x'.repeat(199)}…`,
    ])
  })

  test('say in words what became of jobs that are left out', () => {
    const made = check('jobs', false, { jobs: 0, condition: 2, replaced: 1, never: true })
    expect(checkValues(made)).toEqual([
      'jobs: 0',
      'left out by a condition: 2',
      'replaced by entries of jobs.include: 1',
      'a condition can never hold',
    ])
  })
})
