#!/usr/bin/env node
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`build-service needs Node 20.19 or later; this is ${process.version}.`)
  process.exit(78)
}
try {
  await import('../dist/cli/main.js')
} catch (error) {
  if (
    error?.code !== 'ERR_MODULE_NOT_FOUND' ||
    !String(error.url ?? error.message).includes('/dist/cli/main.js')
  )
    throw error
  console.error(
    'build-service is not built yet. Run `npm run build` in its folder, then try again.',
  )
  process.exit(78)
}
