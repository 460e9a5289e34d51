import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { bundleText, keepBundle } from '../../scripts/bundle.js'
import { outcomeOf, type Outcome } from './command.ts'

interface RunOptions {
  cwd?: string
  input?: string
  env?: Readonly<Record<string, string>>
}

export interface Linter {
  /** The modules that it is made of. */
  parts: () => string[]
  /** What to start for `build-service` with these arguments: a program, and what it is given. */
  line: (args: readonly string[]) => [string, ...string[]]
  /** Starts it. */
  start: (args: readonly string[], cwd?: string, env?: RunOptions['env']) => ChildProcess
  /** Runs it to its end. */
  run: (args: readonly string[], options?: RunOptions) => Promise<Outcome>
}

const root = path.resolve(import.meta.dirname, '../..')

/** The linter as it is installed, bundled from the sources for the tests of one file. */
export function installedLinter(): Linter {
  let folder = ''
  let parts: string[] = []
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'build-service-linter-'))
    for (const name of ['bin', 'package.json']) {
      cpSync(path.join(root, name), path.join(folder, name), { recursive: true })
    }
    symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
    const bundled = await bundleText()
    keepBundle(folder, bundled.text)
    parts = bundled.parts
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const line: Linter['line'] = (args) => [
    process.execPath,
    path.join(folder, 'bin/build-service.js'),
    ...args,
  ]
  const start: Linter['start'] = (args, cwd = folder, env = {}) => {
    const [node, ...given] = line(args)
    return spawn(node, given, { cwd, env: { PATH: process.env.PATH, HOME: folder, ...env } })
  }
  return {
    parts: () => parts,
    line,
    start,
    run(args, { cwd, input = '', env } = {}) {
      const child = start(args, cwd, env)
      child.stdin?.end(input)
      return outcomeOf(child)
    },
  }
}
