import { expect, test } from 'vitest'
import { compileScript } from '../../src/script/compile.ts'
import { keyPairMaker } from '../../src/secrets/key-pair.ts'
import { decrypter, encryptSecure } from '../../src/secrets/secure-value.ts'
import { runProgram, scriptInput } from '../script/program.ts'

// Decryption with the wrong key does not fail: the platform returns random bytes. If exported, they
// would be variables of any name, or commands for bash.

const make = keyPairMaker(1024)
const [own, other] = [await make('a'), await make('b')]

test('values encrypted with another key never become part of the environment', async () => {
  const values = Array.from({ length: 200 }, (_, index) =>
    encryptSecure(other.public_key, `STOLEN_${index}=value`),
  )
  const secure = values.flatMap((value) => [{ secure: value }, { NAMED: { secure: value } }])
  const program = (env: unknown[]) =>
    compileScript(
      scriptInput({
        decrypt: decrypter(own.private_key),
        config: { env, script: 'echo "begin"; command env | sort; echo "end"' },
      }),
    )
  const environmentOf = async (env: unknown[]) => {
    const { job } = program(env)
    const { text, code } = await runProgram(job)
    expect(code).toBe(0)
    return text
      .slice(text.indexOf('\nbegin\n'), text.indexOf('\nend\n'))
      .replaceAll(/-script-\w+/g, '')
  }
  const without = await environmentOf([])
  expect(without).toContain('SERVICE_SECURE_ENV_VARS=false')
  expect(await environmentOf(secure)).toBe(without)
  expect(program(secure).secrets).toEqual([])

  const mine = { secure: encryptSecure(own.public_key, 'MINE=value') }
  expect(await environmentOf([...secure, mine])).toContain('\nMINE=value\n')
}, 60_000)
