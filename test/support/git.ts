import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'

export interface WorkTree {
  folder: string
  git(...args: string[]): string
  /** Writes the files, commits them, and returns the sha. */
  commit(message: string, files?: Record<string, string>): string
}

/** A new git repository with a work tree, gone when the test ends, or what `whenOver` waits for. */
export function workTree(whenOver: (remove: () => void) => void = onTestFinished): WorkTree {
  const folder = mkdtempSync(path.join(tmpdir(), 'build-service-tree-'))
  whenOver(() => rmSync(folder, { recursive: true, force: true }))
  const who = { NAME: 'Octavia', EMAIL: 'octavia@example.org', DATE: '2026-01-02T12:00:00Z' }
  const identity = Object.fromEntries(
    Object.entries(who).flatMap(([key, value]) => [
      [`GIT_AUTHOR_${key}`, value],
      [`GIT_COMMITTER_${key}`, value],
    ]),
  )
  const env = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1', ...identity }
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: folder, env, encoding: 'utf8' }).trim()
  git('init', '--quiet', '--initial-branch=main')
  return {
    folder,
    git,
    commit(message, files = {}) {
      for (const [name, text] of Object.entries(files)) {
        const file = path.join(folder, name)
        mkdirSync(path.dirname(file), { recursive: true })
        writeFileSync(file, text)
      }
      git('add', '--all')
      git('commit', '--quiet', '--allow-empty', '-m', message)
      return git('rev-parse', 'HEAD')
    },
  }
}
