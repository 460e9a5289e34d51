import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { command, scratchFolder } from '../support/command.ts'
import { workTree } from '../support/git.ts'
import { needs, rootUser } from '../support/needs.ts'
import { closedPort } from '../support/ports.ts'

describe('the command', () => {
  test('lists its commands', async () => {
    const { code, stdout } = await command(['--help'])
    expect(code).toBe(0)
    for (const name of ['start', 'demo', 'run', 'token', 'migrate', 'local']) {
      expect(stdout).toMatch(new RegExp(`^  ${name}\\b`, 'm'))
    }
    expect(stdout).toContain('build-service local add PATH')
  })

  test.each(['start', 'run', 'token', 'demo'])('%s --help shows examples', async (name) => {
    expect((await command([name, '--help'])).stdout).toContain(`$ build-service ${name}`)
  })

  test('prints its version', async () => {
    expect((await command(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  test('suggests a remedy for an unknown command', async () => {
    const { code, stderr } = await command(['biuld'])
    expect(code).not.toBe(0)
    expect(stderr).toContain("unknown command 'biuld'")
  })
})

describe('a failed start is reported in one sentence, with the remedy:', () => {
  test('wrong settings, all of them', async () => {
    const { code, stderr } = await command(['start'], {
      env: { PORT: 'x', DATABASE_URL: 'mysql://h' },
    })
    expect(code).toBe(78)
    expect(stderr).toBe(
      'build-service: wrong settings:\n' +
        '  PORT must be a whole number from 0 to 65535\n' +
        '  DATABASE_URL must be an address that begins with postgres:// or postgresql://\n',
    )
  })

  test('a port that is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const env = { DATA_DIR: scratchFolder(), PORT: String(port), LOG_LEVEL: 'silent' }
    const { code, stderr } = await command(['start'], { env })
    server.close()
    expect(code).toBe(78)
    expect(stderr).toBe(
      `build-service: port ${port} of 127.0.0.1 is in use: ` +
        'stop the program that listens there, or set PORT to another\n',
    )
  })

  test('a database that cannot be reached', async () => {
    const url = `postgres://nobody:hunter2@127.0.0.1:${closedPort}/x`
    const env = { DATA_DIR: scratchFolder(), DATABASE_URL: url }
    const { code, stderr } = await command(['start'], { env })
    expect(code).toBe(78)
    expect(stderr).toMatch(/^build-service: the database of DATABASE_URL cannot be used: .*REFUSED/)
    expect(stderr).toContain('Check that the server runs')
    expect(stderr).not.toContain('hunter2')
  })

  test('a data folder that cannot be written to', async () => {
    const file = path.join(scratchFolder(), 'file')
    writeFileSync(file, '')
    const { code, stderr } = await command(['start'], { env: { DATA_DIR: file } })
    expect(code).toBe(78)
    expect(stderr).toContain(`the folder ${file} cannot be written to (EEXIST)`)
    expect(stderr).toContain('set DATA_DIR')
  })

  test('an invalid master key', async () => {
    const folder = scratchFolder()
    writeFileSync(path.join(folder, 'master.key'), 'oops')
    const { code, stderr } = await command(['migrate'], { env: { DATA_DIR: folder } })
    expect(code).toBe(78)
    expect(stderr).toContain('does not hold a key of 32 bytes')
  })
})

test('doctor reports that it creates the data folder', async () => {
  const DATA_DIR = path.join(scratchFolder(), 'data')
  const { stdout } = await command(['doctor'], { env: { DATA_DIR } })
  expect(stdout).toContain(`${DATA_DIR} did not exist and has been created by this check\n`)
  expect(existsSync(path.join(DATA_DIR, 'master.key'))).toBe(true)
}, 60_000)

describe('run', () => {
  test('streams the log for the uncommitted files, and exits with the result of the build', async () => {
    const tree = workTree()
    tree.commit('Begin', { '.service.yml': 'script: [echo from-the-commit, "false"]' })
    writeFileSync(path.join(tree.folder, '.service.yml'), 'script: cat new.txt')
    writeFileSync(path.join(tree.folder, 'new.txt'), 'from-the-tree\n')

    mkdirSync(path.join(tree.folder, 'below'))
    const asIs = await command(['run', path.join(tree.folder, 'below')])
    expect(asIs.stderr).toMatch(new RegExp(`^building the .* of ${tree.folder}\\n`))
    expect(asIs).toMatchObject({ code: 0, stdout: expect.stringContaining('from-the-tree') })
    const head = await command(['run', '--head', tree.folder])
    expect(head).toMatchObject({ code: 1, stdout: expect.stringContaining('from-the-commit') })
    expect(tree.git('status', '--short')).toBe('M .service.yml\n?? new.txt')
  }, 120_000)

  test('builds a commit whose message has a skip command', async () => {
    const tree = workTree()
    tree.commit('Begin [skip ci] later', { '.service.yml': 'script: git log -1 --format=%B' })
    const { code, stdout } = await command(['run', '--head'], { cwd: tree.folder })
    expect(code).toBe(0)
    expect(stdout).toContain('Begin  later')
  }, 120_000)

  test('is errored if a command before the script fails', async () => {
    const tree = workTree()
    tree.commit('Begin', { '.service.yml': 'install: "false"\nscript: "true"' })
    expect((await command(['run'], { cwd: tree.folder })).code).toBe(2)
  }, 120_000)

  test('runs one of several jobs, and reports a job that does not exist', async () => {
    const tree = workTree()
    const file = 'env: [A=one, A=two]\nscript: echo "A is $A"; [ "$A" = two ]'
    tree.commit('Begin', { '.service.yml': file })
    const second = await command(['run', '--job', '2'], { cwd: tree.folder })
    expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining('A is two') })
    expect(second.stdout).not.toContain('A is one')
    const ninth = await command(['run', '--job', '9'], { cwd: tree.folder })
    expect(ninth).toMatchObject({ code: 2 })
    expect(ninth.stderr).toContain('there is no job 9: the build has jobs 1 to 2')
    expect(await command(['run', '--job', 'two'], { cwd: tree.folder })).toEqual({
      code: 2,
      stdout: '',
      stderr: 'build-service: there is no job two: give a number, the first job is 1\n',
    })
  }, 120_000)

  test('runs the requested job of a later stage, and no other job', async () => {
    const tree = workTree()
    const file = [
      'jobs:',
      '  include:',
      '    - { stage: build, script: echo one }',
      '    - { script: echo two }',
      '    - { stage: deploy, script: echo three }',
      '    - { stage: after, script: echo four }',
    ]
    tree.commit('Begin', { '.service.yml': file.join('\n') })
    const third = await command(['run', '--job', '3'], { cwd: tree.folder })
    expect(third).toMatchObject({ code: 0, stdout: expect.stringContaining('\nthree') })
    expect(third.stdout).not.toMatch(/^(?:one|two|four)/m)
    expect(third.stderr).toContain('starting a runner for 1 job; 3 left out\n')
  }, 120_000)

  test('reports which stages wait, and ends with the failed commands', async () => {
    const tree = workTree()
    const file = [
      'jobs:',
      '  include:',
      '    - { stage: build, name: Fine, script: "true" }',
      '    - { name: Broken, script: ["true", "(exit 3)"] }',
      '    - { name: Also, script: ["true", "(exit 3)"] }',
      '    - { name: Left, script: exit 1 }',
      '    - { stage: deploy, script: echo never }',
    ]
    tree.commit('Begin', { '.service.yml': file.join('\n') })
    const { code, stderr } = await command(['run'], { cwd: tree.folder })
    expect(code).toBe(1)
    expect(stderr).toContain('job 1.5: It waits for stage 1 (build) to end.\n')
    expect(stderr).toMatch(
      new RegExp(
        [
          '\n1 of 5 jobs passed',
          String.raw`job 1\.2 \(Broken\) failed, \.service\.yml:4`,
          String.raw`job 1\.3 \(Also\) failed, \.service\.yml:5`,
          // Reported once, below both jobs.
          String.raw`  The command "\(exit 3\)" exited with 3\.`,
          String.raw`job 1\.4 \(Left\) failed, \.service\.yml:6`,
          String.raw`  The command "exit 1" ended the shell with 1 during script\.`,
          String.raw`job 1\.5 canceled, because an earlier stage did not pass, \.service\.yml:7`,
          String.raw`  The job never ran: it was canceled because stage 1 \(build\) did not pass\.\n$`,
        ].join('\n'),
      ),
    )
  }, 120_000)

  test.each([
    ['a branch filter', 'branches: { only: ["\\e]52;c;cHduZWQ=\\a"] }\nscript: "true"'],
    ['a condition', String.raw`if: "branch = \"\e]52;c;cHduZWQ=\a\""` + '\nscript: "true"'],
    [
      'a name',
      'jobs: { include: [{ name: "\\e]0;pwned\\a\\u202e", script: "true" }, { script: "true" }] }',
    ],
  ])(
    'escapes control characters of %s on the terminal',
    async (_what, file) => {
      const tree = workTree()
      tree.commit('Begin', { '.service.yml': file })
      const { stderr } = await command(['run'], { cwd: tree.folder })
      expect(stderr).toContain(String.raw`\x1b]`)
      expect(stderr).toContain(String.raw`\x07`)
      expect(stderr).not.toMatch(/[^\P{Cc}\n]|\u202E/u)
    },
    120_000,
  )

  test('runs jobs for another system only on request', async () => {
    const tree = workTree()
    const file = 'language: shell\nos:\n  - linux\n  - osx\nscript: uname -s\n'
    tree.commit('Begin', { '.service.yml': file })
    const refused = await command(['run'], { cwd: tree.folder })
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('1 of 2 jobs not run: os osx')
    expect(refused.stdout).toContain(
      '.service.yml asks for "os: osx", and the runners of this service have',
    )
    expect(refused.stdout.match(/^\$ uname -s/gm)).toHaveLength(1)
    // A run has no other runners to wait for or to start, and an option instead of the setting.
    expect(refused.stderr).not.toContain('waits')
    expect(refused.stdout).toContain(
      'Change .service.yml, or leave such jobs out (--other-machines skip) or run them here ' +
        '(--other-machines run).',
    )
    // The reason is below its job.
    expect(refused.stdout).toMatch(/— job 1\.2 \(os osx\)\s+.*\.service\.yml asks for "os: osx"/)
    const skipped = await command(['run', '--other-machines', 'skip'], { cwd: tree.folder })
    expect(skipped.code).toBe(0)
    expect(skipped.stderr).toContain('job 1.2 (os osx) left out: os osx')
    const run = await command(['run', '--other-machines', 'run'], { cwd: tree.folder })
    expect(run.code).toBe(0)
    expect(run.stdout).toContain('.service.yml asks for "os: osx", and the job runs on linux on ')
    expect(run.stdout).toContain(' (--other-machines run).')
    expect(run.stderr).toContain('1 of 2 jobs run on another machine: os osx')
  }, 240_000)

  test('does not run a job without a script if its language has no default commands', async () => {
    const tree = workTree()
    tree.commit('Begin', { '.service.yml': 'language: matlab\nbefore_install: echo begun\n' })
    const { code, stdout, stderr } = await command(['run'], { cwd: tree.folder })
    expect(code).toBe(2)
    const sentence =
      'This version of the service has no default commands for matlab: add a script to .service.yml.'
    expect(stdout).toContain(sentence)
    expect(stdout).not.toContain('begun')
    expect(stderr).toContain(`job 1.1 errored\n  ${sentence}`)
    // No further output.
    expect(stderr.split(sentence)).toHaveLength(2)
  }, 120_000)

  test('reports the isolation of jobs once', async () => {
    const tree = workTree()
    tree.commit('Begin', { '.service.yml': 'script: "true"' })
    const { stderr } = await command(['run'], { cwd: tree.folder })
    expect(stderr.match(/^jobs run .*$/gm)).toHaveLength(1)
  }, 120_000)

  test(
    'names each PATH folder that jobs cannot enter once, with the reason',
    { ...needs(rootUser), timeout: 120_000 },
    async () => {
      const home = scratchFolder()
      chmodSync(home, 0o700)
      for (const name of ['.cargo/bin', 'tools'])
        mkdirSync(path.join(home, name), { recursive: true })
      const tree = workTree()
      tree.commit('Begin', { '.service.yml': 'script: "true"' })
      const folders = ['.cargo/bin', 'tools'].map((name) => path.join(home, name))
      const PATH = [...folders, '/usr/local/bin', '/usr/bin', '/bin'].join(':')
      const { code, stderr } = await command(['run'], {
        cwd: tree.folder,
        env: { HOME: home, PATH },
      })
      expect(code).toBe(0)
      for (const folder of folders) {
        const lines = stderr.split('\n').filter((line) => line.includes(folder))
        expect(lines).toEqual([expect.stringContaining('accounts that run jobs cannot enter it')])
      }
    },
  )

  test('prints the programs without running them', async () => {
    const tree = workTree()
    tree.commit('Begin', { '.service.yml': 'script: touch /tmp/was-run' })
    const { code, stdout } = await command(['run', '--print-script'], { cwd: tree.folder })
    expect(code).toBe(0)
    expect(stdout).toContain("'touch /tmp/was-run'")
    expect(stdout).not.toContain('Worker information')
  }, 60_000)

  test('insists on the tools of a language only if the build file names the language', async () => {
    const tree = workTree()
    const needsRuby =
      'Language "ruby" needs ruby, which jobs do not find on this machine. ' +
      'Install it in a folder of your PATH that jobs can enter, or change .service.yml.'
    for (const [file, isAsked] of [
      ['script: "true"', false],
      ['language: ruby\nscript: "true"', true],
      ['os: linux', true],
    ] as const) {
      tree.commit('Change', { '.service.yml': file })
      const { stdout } = await command(['run', '--print-script'], { cwd: tree.folder })
      expect(stdout.includes(needsRuby)).toBe(isAsked)
    }
  }, 120_000)

  test('looks for the build file before it starts any process', async () => {
    const tree = workTree()
    tree.commit('Nothing to build')
    const run = () => command(['run'], { cwd: tree.folder })
    expect(await run()).toEqual({
      code: 2,
      stdout: '',
      stderr: 'not built: no build configuration file: add .service.yml\n',
    })
    tree.commit('For another service', { '.travis.yml': 'script: make' })
    expect((await run()).stderr).toBe(
      'not built: no build configuration file: there is .travis.yml: rename it to .service.yml\n',
    )
    // An ignored build file is not built either.
    tree.commit('Ignored', { '.gitignore': '.*.yml' })
    writeFileSync(path.join(tree.folder, '.service.yml'), 'script: "true"')
    expect((await run()).code).toBe(2)
  }, 60_000)

  test('reports why nothing is built', async () => {
    const tree = workTree()
    tree.commit('Nothing to build', { '.service.yml': 'if: branch = other\nscript: "true"' })
    const { code, stderr } = await command(['run'], { cwd: tree.folder })
    expect(code).toBe(2)
    expect(stderr).toMatch(/^not built: /m)
  }, 60_000)

  test('explains what is missing if there is no repository or no commit', async () => {
    const folder = scratchFolder()
    expect((await command(['run', folder])).stderr).toContain('is not inside a git repository')
    const { folder: empty } = workTree()
    expect((await command(['run', empty])).stderr).toContain('has no commit yet')
  })
})
