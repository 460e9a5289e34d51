// Logs in to a PostgreSQL server by its socket (SCRAM-SHA-256), without any package: what a job
// would run that got hold of the socket and the password. Prints `logged in`, or what was wrong.
const { createHash, createHmac, pbkdf2Sync, randomBytes } = require('node:crypto')
const { readFileSync } = require('node:fs')
const { connect } = require('node:net')

const [, , user, socket, passwordFile] = process.argv

const hmac = (key, text) => createHmac('sha256', key).update(text).digest()

function int32(value) {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

const withLength = (body) => Buffer.concat([int32(body.length + 4), body])
const message = (body) => Buffer.concat([Buffer.from('p'), withLength(body)])

function readPassword() {
  try {
    return readFileSync(passwordFile, 'utf8').trim()
  } catch (error) {
    console.log(error.message)
    return 'none'
  }
}

const password = readPassword()
const opening = `n=,r=${randomBytes(18).toString('base64')}`

/** The proof that we know the password, for the salt and the nonce of the server. */
function proofFor(challenge) {
  const { r, s, i } = Object.fromEntries(
    challenge.split(',').map((part) => [part[0], part.slice(2)]),
  )
  const salted = pbkdf2Sync(password, Buffer.from(s, 'base64'), Number(i), 32, 'sha256')
  const key = hmac(salted, 'Client Key')
  const closing = `c=biws,r=${r}`
  const stored = createHash('sha256').update(key).digest()
  const mask = hmac(stored, `${opening},${challenge},${closing}`)
  return `${closing},p=${Buffer.from(key.map((byte, index) => byte ^ mask[index])).toString('base64')}`
}

const connection = connect(socket, () => {
  const startup = `user\0${user}\0database\0postgres\0\0`
  connection.write(withLength(Buffer.concat([int32(196608), Buffer.from(startup)])))
})

function answer(type, body) {
  if (type === 'E') return end(body.toString().replaceAll('\0', ' '))
  if (type !== 'R') return
  const kind = body.readInt32BE(0)
  const first = Buffer.from(`n,,${opening}`)
  if (kind === 0) end('logged in')
  if (kind === 10) {
    connection.write(message(Buffer.concat([Buffer.from('SCRAM-SHA-256\0'), withSize(first)])))
  }
  if (kind === 11) connection.write(message(Buffer.from(proofFor(body.subarray(4).toString()))))
}

const withSize = (bytes) => Buffer.concat([int32(bytes.length), bytes])

function end(text) {
  console.log(text)
  connection.destroy()
}

let received = Buffer.alloc(0)
connection.on('error', (error) => end(error.message))
connection.on('data', (bytes) => {
  received = Buffer.concat([received, bytes])
  while (received.length >= 5 && received.length > received.readInt32BE(1)) {
    const length = received.readInt32BE(1) + 1
    answer(String.fromCharCode(received[0]), received.subarray(5, length))
    received = received.subarray(length)
  }
})
