import { chmodSync, copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll } from 'vitest'

/** This node, as a program that all users can start: root's own may lie in a folder of root's. */
export function nodeForAll(): string {
  if (isOpen(process.execPath)) return process.execPath
  const folder = mkdtempSync(path.join(tmpdir(), 'build-service-node-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o755)
  const copy = path.join(folder, 'node')
  copyFileSync(process.execPath, copy)
  chmodSync(copy, 0o755)
  return copy
}

function isOpen(file: string): boolean {
  const isStartable = (statSync(file).mode & 0o001) !== 0
  return isStartable && (file === path.dirname(file) || isOpen(path.dirname(file)))
}
