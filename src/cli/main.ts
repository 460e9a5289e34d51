import { createProgram } from './program.ts'
import { explain } from './explain.ts'

// A closed pipe (`build-service … | head`) is no error of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

try {
  await createProgram().parseAsync(process.argv)
} catch (error) {
  const { message, code } = explain(error)
  process.stderr.write(`build-service: ${message}\n`)
  process.exit(code)
}
