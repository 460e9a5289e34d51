import { expect, test } from 'vitest'
import type { JobConfig } from '../../src/domain/job/job.ts'
import { queueOf, readQueueRules } from '../../src/domain/job/queue-rules.ts'

const about = (slug: string, changes = {}) => ({ slug, private: false, number: '1.1', ...changes })

const rules = readQueueRules(
  'big: vm_size=large|x-large; arm: arch=arm64 os=linux; gpu: slug=acme/Model; c: language=c|cpp; x: sudo=true',
)

test.each<[string, JobConfig, string]>([
  ['a job without a matching rule', {}, 'builds.linux'],
  ['one of several values', { vm: { size: 'x-large' } }, 'big'],
  ['all conditions', { arch: 'arm64', os: 'linux' }, 'arm'],
  ['only one of two conditions', { arch: 'arm64', os: 'osx' }, 'builds.linux'],
  ['the first language', { language: ['cpp', 'ruby'] }, 'c'],
  ['not the second language', { language: ['ruby', 'cpp'] }, 'builds.linux'],
  ['a value that is not a string', { sudo: true }, 'x'],
  ['the first of two matching rules', { vm: { size: 'LARGE' }, language: 'c' }, 'big'],
])('%s', (_, config, queue) => {
  expect(queueOf(rules, about('acme/site'), config)).toBe(queue)
})

test('slugs and owners are compared without case', () => {
  expect(queueOf(rules, about('ACME/model'), {})).toBe('gpu')
  expect(queueOf(readQueueRules('a: owner=Acme;'), about('acme/x'), {})).toBe('a')
})

test.each([
  ['gpu', 'must be queues, such as'],
  ['a b: owner=x', 'must be queues, such as'],
  ['gpu: colour=red', 'with one of slug, owner, repo_private, os,'],
  ['gpu: owner', 'must have conditions such as owner=acme'],
])('%s is refused', (text, message) => {
  expect(() => readQueueRules(text)).toThrow(message)
})

test('repository visibility and a GPU size are conditions', () => {
  const own = readQueueRules('secret: repo_private=true; cards: gpu=true; plain: gpu=false')
  expect(queueOf(own, about('a/b', { private: true }), {})).toBe('secret')
  expect(queueOf(own, about('a/b'), { vm: { size: 'gpu-medium' } })).toBe('cards')
  expect(queueOf(own, about('a/b'), { vm: { size: 'large' } })).toBe('plain')
  expect(queueOf(own, about('a/b'), {})).toBe('plain')
})

test('a percentage matches that share of the jobs, always the same ones', () => {
  const tenth = readQueueRules('new: percentage=10')
  const queues = () =>
    Array.from({ length: 1000 }, (_, at) => queueOf(tenth, about('a/b', { number: `${at}.1` }), {}))
  const chosen = queues().filter((queue) => queue === 'new').length
  expect(chosen).toBeGreaterThan(60)
  expect(chosen).toBeLessThan(140)
  expect(queues()).toEqual(queues())
  const none = readQueueRules('new: percentage=0')
  const all = readQueueRules('new: percentage=100')
  expect(queueOf(none, about('a/b'), {})).toBe('builds.linux')
  expect(queueOf(all, about('a/b'), {})).toBe('new')
})

test.each(['a: percentage=101', 'a: percentage=1|2', 'a: repo_private=yes', 'a: gpu=nvidia'])(
  'the condition of %s is refused',
  (text) => {
    expect(() => readQueueRules(text)).toThrow(/must have/)
  },
)
