import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { claimsIn } from '../../../../src/runner/executors/process/directory-locks.ts'

function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'claims-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** The name of a claim that a running process of another user holds. */
function heldByAnother(name: string): string {
  const child = spawn('sleep', ['60'])
  onTestFinished(() => void child.kill())
  const stat = readFileSync(`/proc/${child.pid}/stat`, 'latin1')
  return `${name}.${child.pid}-${stat.split(') ')[1]?.split(' ')[19]}`
}

test('a name is claimed once until it is released, even within one process', () => {
  const folder = newFolder()
  const [one, other] = [claimsIn(folder), claimsIn(folder)]
  expect(one.claim('64000')).toBe(true)
  expect(other.claim('64000')).toBe(false)
  expect(other.claim('64001')).toBe(true)
  one.release('64000')
  expect(other.claim('64000')).toBe(true)
})

test('a name that a running process has claimed cannot be claimed', () => {
  const folder = newFolder()
  const held = heldByAnother('64000')
  writeFileSync(path.join(folder, held), '')
  expect(claimsIn(folder).claim('64000')).toBe(false)
  expect(readdirSync(folder)).toEqual([held])
})

test('the claim of a process that has ended is removed, even if its process id is used again', () => {
  const folder = newFolder()
  writeFileSync(path.join(folder, `64000.${process.pid}-1`), '')
  writeFileSync(path.join(folder, '64000.999999999-1'), '')
  expect(claimsIn(folder).claim('64000')).toBe(true)
  expect(readdirSync(folder)).toHaveLength(1)
})
