import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { command, scratchFolder } from '../support/command.ts'
import { closedPort } from '../support/ports.ts'

const root = path.resolve(import.meta.dirname, '../..')

describe('the program', () => {
  test.each(['start', 'lint'])('reports which command builds it if it is not built: %s', (name) => {
    const folder = scratchFolder()
    cpSync(path.join(root, 'bin'), path.join(folder, 'bin'), { recursive: true })
    const { status, stderr } = spawnSync(process.execPath, ['bin/build-service.js', name], {
      cwd: folder,
      encoding: 'utf8',
    })
    expect(status).toBe(78)
    expect(stderr).toBe(
      'build-service is not built yet. Run `npm run build` in its folder, then try again.\n',
    )
  })

  test('contains all files that it needs to run', () => {
    const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const [{ files }] = JSON.parse(packed) as [{ files: { path: string }[] }]
    const paths = files.map((file) => file.path)
    expect(paths).toEqual(
      expect.arrayContaining([
        ...['bin/build-service.js', 'bin/linter.js', 'bin/program.js', 'bin/package.json'],
        ...['demo/sample/.service.yml', 'app.yml'],
      ]),
    )
    // Compiled caches of this machine are useless elsewhere.
    expect(paths.filter((file) => /^(test|bench)\/|\.compiled$/.test(file))).toEqual([])
    // Of the sources, only the linter is needed (docs/decisions/016).
    const own = /^src\/(buildfile|cli|domain|lint)\/|^src\/service\/version\.ts$/
    expect(paths.filter((file) => file.startsWith('src/') && !own.test(file))).toEqual([])
  })

  test.each([['--bogus'], ['bogus'], ['run --bogus'], ['local add']])(
    'uses exit code 1 only for failed builds: %s',
    async (words) => {
      const { code, stderr } = await command(words.split(' '))
      expect(code).toBe(2)
      expect(stderr).toMatch(/^error: .*\n+\(see --help\)\n$/)
    },
  )
})

describe('doctor', () => {
  test('checks everything, and suggests a remedy for each problem', async () => {
    const { code, stdout } = await command(['doctor'], { env: { DATA_DIR: scratchFolder() } })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^ok +settings +all of them can be read$/m)
    expect(stdout).toMatch(/^ok +database +PostgreSQL \d+\.\d+ \(embedded\) responds/m)
    expect(stdout).toMatch(
      /^ok +storage +the database has \d+ MiB with 0 builds, of which logs take 0 MiB, and compressed ones outside of it 0 MiB; builds and logs are kept forever, because /m,
    )
    expect(stdout).toMatch(/^ok +queue +entries are kept in PostgreSQL; 0 waiting, 0 dead$/m)
    expect(stdout).toMatch(
      /^warning +webhooks +none were received so far\n +→ push to a repository/m,
    )
  }, 60_000)

  test('exits with 1 if a check fails', async () => {
    const url = `postgres://127.0.0.1:${closedPort}/x`
    const env = { DATA_DIR: scratchFolder(), DATABASE_URL: url }
    const { code, stdout } = await command(['doctor'], { env })
    expect(code).toBe(1)
    expect(stdout).toMatch(/^failure +database +.*cannot be used/m)
  })
})
