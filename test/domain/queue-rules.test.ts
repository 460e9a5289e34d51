import { expect, test } from 'vitest'
import type { JobConfig } from '../../src/domain/job/job.ts'
import { queueOf, readQueueRules } from '../../src/domain/job/queue-rules.ts'

const rules = readQueueRules(
  'big: vm_size=large|x-large; arm: arch=arm64 os=linux; gpu: slug=acme/Model; c: language=c|cpp; x: sudo=true',
)

test.each<[string, JobConfig, string]>([
  ['a job that nothing fits', {}, 'builds.linux'],
  ['one of several values', { vm: { size: 'x-large' } }, 'big'],
  ['all conditions', { arch: 'arm64', os: 'linux' }, 'arm'],
  ['only one of two conditions', { arch: 'arm64', os: 'osx' }, 'builds.linux'],
  ['the first language', { language: ['cpp', 'ruby'] }, 'c'],
  ['not the second language', { language: ['ruby', 'cpp'] }, 'builds.linux'],
  ['a value that is no text', { sudo: true }, 'x'],
  ['the first of two that fit', { vm: { size: 'LARGE' }, language: 'c' }, 'big'],
])('%s', (_, config, queue) => {
  expect(queueOf(rules, 'acme/site', config)).toBe(queue)
})

test('slugs and owners are compared without case', () => {
  expect(queueOf(rules, 'ACME/model', {})).toBe('gpu')
  expect(queueOf(readQueueRules('a: owner=Acme;'), 'acme/x', {})).toBe('a')
})

test.each([
  ['gpu', 'must be queues, such as'],
  ['a b: owner=x', 'must be queues, such as'],
  ['gpu: colour=red', 'with one of slug, owner, os,'],
  ['gpu: owner', 'must have conditions such as owner=acme'],
])('%s is refused', (text, message) => {
  expect(() => readQueueRules(text)).toThrow(message)
})
