import type { JobService } from '../../../../script/services/requested-services.ts'
import { serviceTable } from '../../../../script/services/service-table.ts'
import { quote } from '../../../../script/shell/bash.ts'

/**
 * `service` and `systemctl` for a job: its container has no init, and its services run beside it. Anything else is
 * left to the script in /etc/init.d, which packages of a job bring along.
 */
function program(running: string, known: string): string {
  return `#!/bin/bash
self=\${0##*/} action= name=
if [[ $self == systemctl ]]; then
  for word; do
    case $word in
      -*) ;;
      *) if [[ -z $action ]]; then action=$word; elif [[ -z $name ]]; then name=\${word%.service}; fi ;;
    esac
  done
else
  name=\${1-} action=\${2-}
fi
case ${running} in
  *" \${name:-?} "*)
    case $action in
      stop|restart|reload|force-reload|try-restart|disable|mask)
        echo "The service $name runs in a container of its own: \\"$action\\" has no effect, and it keeps running." ;;
      *) echo "The service $name already runs in a container of its own." ;;
    esac
    exit 0 ;;
esac
case $action in
  enable|disable|mask|unmask|daemon-reload|daemon-reexec|is-enabled) exit 0 ;;
esac
if [[ -n $name && $name != */* && -x /etc/init.d/$name ]]; then exec "/etc/init.d/$name" "$action"; fi
case ${known} in
  *" \${name:-?} "*) echo "The service $name does not run: add it to \\"services\\" in .service.yml." >&2 ;;
  *) echo "There is no service \${name:-without a name} in this container, which has no init system." >&2 ;;
esac
exit 5
`
}

const names = (name: string) => [name, ...(serviceTable[name]?.units ?? [])]

const patternOf = (services: readonly string[]) => quote(` ${services.flatMap(names).join(' ')} `)

/** Lines of bash that place `service` and `systemctl` first on the PATH of root. */
export function serviceStandIn(services: readonly JobService[]): string {
  const running = patternOf(services.map(({ name }) => name))
  const text = quote(program(running, patternOf(Object.keys(serviceTable))))
  return [
    'command -p mkdir -p /usr/local/bin',
    'for each in service systemctl; do',
    '  [[ -e /usr/local/bin/$each ]] && continue',
    `  builtin printf '%s' ${text} >/usr/local/bin/$each && command -p chmod 755 /usr/local/bin/$each`,
    'done',
  ].join('\n')
}
