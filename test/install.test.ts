import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { scratchFolder } from './support/command.ts'
import { workTree } from './support/git.ts'
import { type Need, needs } from './support/needs.ts'
import { ownEnvironment, registryFor } from './support/registry.ts'

const root = path.resolve(import.meta.dirname, '..')
const minutes = 60_000

const registry = registryFor('of installing the command')

const preCommit: Need = {
  tests: 'of the commit hook as a whole',
  missing:
    registry.missing ??
    (spawnSync('pre-commit', ['--version']).status === 0 ? undefined : 'there is no pre-commit'),
}

const own = mkdtempSync(path.join(tmpdir(), 'build-service-npm-'))
const removals = [() => rmSync(own, { recursive: true, force: true })]
afterAll(() => removals.forEach((remove) => remove()))

/**
 * Where each test installs. Of the packages that the service needs, npm leaves in place what is there:
 * they are the same in each test, and to unpack them takes most of an installation.
 */
const prefix = path.join(own, 'prefix')

interface Clone {
  folder: string
  sha: string
}

let clone: Clone | undefined

/** A fresh clone of what lies here, as a commit of its own; no test changes its files. */
function freshClone(): Clone {
  clone ??= copyEverything()
  return clone
}

function copyEverything(): Clone {
  const { folder, commit } = workTree((remove) => removals.push(remove))
  const files = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  for (const file of new Set(files.split('\0').filter(Boolean))) {
    cpSync(path.join(root, file), path.join(folder, file), { verbatimSymlinks: true })
  }
  return { folder, sha: commit('Everything') }
}

function run(command: string, args: readonly string[], cwd: string, more = {}): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    env: { ...ownEnvironment, ...more },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${status}\n${stdout}${stderr}`)
  return stdout
}

/** The installed command, with a build file that has a mistake. */
function lint() {
  const cwd = scratchFolder()
  cpSync(path.join(root, 'demo/sample/.service.yml'), path.join(cwd, '.service.yml'))
  const command = path.join(prefix, 'bin/build-service')
  const { status, stdout, stderr } = spawnSync(command, ['lint', '--no-advice'], {
    cwd,
    encoding: 'utf8',
  })
  return { status, stderr, found: /\[\w+\]/g.exec(stdout)?.[0] }
}

const works = { status: 1, stderr: '', found: '[find_key]' }

describe.each([10, 11])('with npm %i, a fresh clone gives a command that runs', (major) => {
  const folder = path.join(own, String(major))

  /** This version of npm, as its package has it. */
  function program(): string {
    const file = path.join(folder, 'package/bin/npm-cli.js')
    if (existsSync(file)) return file
    mkdirSync(folder)
    const name = run('npm', ['pack', '--silent', `npm@${major}`], folder).trim()
    run('tar', ['-xzf', name], folder)
    return file
  }

  function npm(args: readonly string[], cwd: string): string {
    return run(process.execPath, [program(), ...args], cwd, { npm_config_prefix: prefix })
  }

  // As pre-commit does it from version 4.6 on.
  test('installed from git', { ...needs(registry), timeout: 5 * minutes }, () => {
    const how = ['install', '--allow-git=root', '--install-links', '-g']
    npm([...how, `git+file://${freshClone().folder}`], own)
    expect(lint()).toEqual(works)
    // What it bundled at the first start serves the next.
    expect(lint()).toEqual(works)
  })

  test('installed from its package', { ...needs(registry), timeout: 5 * minutes }, () => {
    const clone = freshClone().folder
    // Older versions of pre-commit take all that is written for the name of the package.
    const name = npm(['pack'], clone).trim()
    npm(['install', '-g', path.join(clone, name)], own)
    expect(lint()).toEqual(works)
  })
})

test('pre-commit runs the hook', { ...needs(preCommit), timeout: 10 * minutes }, () => {
  const { folder, sha } = freshClone()
  const { folder: cwd, commit } = workTree()
  commit('A mistake', {
    '.pre-commit-config.yaml': `repos: [{repo: '${folder}', rev: ${sha}, hooks: [{id: build-service-lint}]}]\n`,
    '.service.yml': 'language: ruby\nscirpt: make\n',
  })
  const { status, stdout } = spawnSync('pre-commit', ['run', '--all-files'], {
    cwd,
    env: { ...ownEnvironment, PRE_COMMIT_HOME: scratchFolder() },
    encoding: 'utf8',
  })
  expect(stdout).toMatch(/^lint the build file\.+Failed$/m)
  expect(stdout).toContain('unknown key "scirpt", read as "script"')
  expect(status).toBe(1)
})
