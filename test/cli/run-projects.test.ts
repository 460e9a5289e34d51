import { execFileSync, spawn } from 'node:child_process'
import { cpSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { command, outcomeOf, type Outcome, program } from '../support/command.ts'
import { workTree } from '../support/git.ts'
import { both, type Need, needs, rootUser } from '../support/needs.ts'

const projects = path.resolve(import.meta.dirname, '../fixtures/projects')

/** The projects, each with a program and a check of whether this machine can build it. */
const kinds: Readonly<Record<string, string>> = {
  c: 'cmake --version && cc --version',
  python:
    'python3 -m pytest --version && python3 -m ensurepip --version && python3 -m pip --version',
  ruby: 'bundle --version && rake --version',
  node: 'npm --version',
  go: 'go version',
  shell: 'true',
}

/** The programs that jobs find: the tools of Debian. */
const PATH = '/usr/local/bin:/usr/bin:/bin'

function toolsFor(kind: string): Need {
  const tests = `of a project for ${kind}`
  try {
    execFileSync('bash', ['-c', kinds[kind] ?? 'false'], { env: { PATH }, stdio: 'ignore' })
    return { tests, missing: undefined }
  } catch {
    return { tests, missing: `one of these does not work here: ${kinds[kind]}` }
  }
}

function projectOf(kind: string): string {
  const tree = workTree()
  cpSync(path.join(projects, kind), tree.folder, { recursive: true })
  tree.commit('Begin')
  return tree.folder
}

function expectPassed({ code, stdout, stderr }: Outcome): void {
  if (code !== 0) throw new Error(`ended with ${code}:\n${stdout}\n${stderr}`)
  expect(stdout).toContain('Done. The exit code of the job is 0.')
  expect(stdout).not.toMatch(/command not found|build\.sh/)
}

const env = { PATH: `${path.dirname(process.execPath)}:${PATH}` }

const timeout = 180_000

describe.each(Object.keys(kinds))('run builds a project for %s', (kind) => {
  const need = toolsFor(kind)

  test('as this user', { ...needs(need), timeout }, async () => {
    expectPassed(await command(['run', projectOf(kind)], { env }))
  })

  test('as root without bubblewrap', { ...needs(both(need, rootUser)), timeout }, async () => {
    expectPassed(await withoutBubblewrap(projectOf(kind), []))
  })

  test(
    'as an ordinary user without bubblewrap',
    { ...needs(both(need, rootUser, openCheckout())), timeout },
    async () => {
      const folder = projectOf(kind)
      execFileSync('chown', ['-R', '65534:65534', folder])
      const user = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']
      expectPassed(await withoutBubblewrap(folder, user))
    },
  )
})

/** Other users must be able to read the source, and to start this Node.js. */
function openCheckout(): Need {
  const tests = 'of an ordinary user, made by root'
  const isOpen = [program, process.execPath].every((file) => {
    const user = ['--reuid=65534', '--regid=65534', '--clear-groups']
    try {
      execFileSync('setpriv', [...user, 'test', '-r', file], { stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  })
  return { tests, missing: isOpen ? undefined : 'this checkout, or node, is closed to other users' }
}

/** Runs in a mount namespace where `bwrap` is not a program. */
function withoutBubblewrap(folder: string, as: readonly string[]): Promise<Outcome> {
  const hide =
    'for file in /usr/bin/bwrap /usr/local/bin/bwrap; do [ ! -e $file ] || mount --bind /dev/null $file; done'
  const run = [...as, process.execPath, program, 'run', folder]
  const child = spawn('unshare', ['--mount', 'bash', '-c', `${hide}; exec "$@"`, 'bash', ...run], {
    env: { ...env, HOME: folder },
  })
  return outcomeOf(child)
}
