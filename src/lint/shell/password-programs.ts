import { quote } from '../quote.ts'

/** A program with another way to get a secret, and the variable among its arguments. */
interface Program {
  name: string
  call: RegExp
  remedy: (variable: string) => string
}

const start = String.raw`(?:^|[;&|({]|\b(?:then|do|else))\s*(?:\w+=\S*\s+)*`
const variable = String.raw`["']?\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))["']?(?=[\s;&|)]|$)`
const callOf = (program: string, option: string) =>
  new RegExp(String.raw`${start}${program}\s(?:[^;&|\n]*\s)?${option}${variable}`)

/** Programs that also take a password from a variable or their input. */
export const programs: readonly Program[] = [
  {
    name: 'openssl',
    call: callOf(String.raw`openssl\s+(?:enc|aes-?\d+-\w+|des3|des-ede3-cbc)`, String.raw`-k\s+`),
    remedy: (variable) => `write ${quote(`-pass env:${variable}`)} instead of "-k"`,
  },
  {
    name: 'openssl',
    call: callOf('openssl', String.raw`-pass(?:in|out)?\s+["']?pass:`),
    remedy: (variable) => `write ${quote(`env:${variable}`)} instead of "pass:"`,
  },
  {
    name: 'cargo',
    call: callOf('cargo', String.raw`(?:publish|yank|owner)\s(?:[^;&|\n]*\s)?--token[\s=]+`),
    remedy: () => 'put it into the variable "CARGO_REGISTRY_TOKEN", and leave out "--token"',
  },
  {
    name: 'cargo',
    call: callOf('cargo', String.raw`login\s+`),
    remedy: () => 'put it into the variable "CARGO_REGISTRY_TOKEN", and leave out "cargo login"',
  },
  {
    name: 'twine',
    call: callOf('twine', String.raw`upload\s(?:[^;&|\n]*\s)?(?:-p|--password)[\s=]+`),
    remedy: () => 'put it into the variable "TWINE_PASSWORD", and leave out the option',
  },
  {
    name: 'sshpass',
    call: callOf('sshpass', String.raw`-p\s*`),
    remedy: () => 'put it into the variable "SSHPASS", and write "-e" instead of "-p"',
  },
  {
    name: 'gpg',
    call: callOf('gpg2?', String.raw`--passphrase[\s=]+`),
    remedy: () => 'pipe it in, with "--passphrase-fd 0"',
  },
]
