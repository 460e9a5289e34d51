import { randomUUID } from 'node:crypto'
import { asOwner } from './owner-shell.ts'

// Files of the folder `hooks` in a git directory, which belongs to the owner of the repository.

/** Creates the folder where nothing has its name. */
export async function makeHooksFolder(directory: string): Promise<void> {
  await asOwner(directory, '[ -e hooks ] || [ -L hooks ] || mkdir hooks')
}

const none = 4

/** Undefined if there is none; a link or a folder counts as a hook of others, whatever is in it. */
export async function readHook(directory: string, name: string): Promise<string | undefined> {
  const script = `
    file="hooks/$1"
    [ -e "$file" ] || [ -L "$file" ] || exit ${none}
    if [ -f "$file" ] && [ ! -L "$file" ]; then head -c 1000000 -- "$file"; fi`
  const { code, output } = await asOwner(directory, script, { args: [name], accept: [0, none] })
  return code === none ? undefined : output
}

/** Git can run the hook at any moment and never finds a partial one. */
export async function writeHook(directory: string, name: string, text: string): Promise<void> {
  const script = `
    umask 022
    set -C
    cat > "hooks/$2" && chmod 755 "hooks/$2" && mv -f -- "hooks/$2" "hooks/$1" && exit
    rm -f -- "hooks/$2"
    exit 1`
  await asOwner(directory, script, { args: [name, `${name}.${randomUUID()}`], input: text })
}

export async function removeHook(directory: string, name: string): Promise<void> {
  await asOwner(directory, 'rm -f -- "hooks/$1"', { args: [name] })
}
