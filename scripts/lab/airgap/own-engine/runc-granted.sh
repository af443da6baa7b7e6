#!/usr/bin/env bash
# runc for a machine whose bounding set lacks a capability: `docker run --privileged` asks for every one the kernel
# knows, and runc then ends with "unable to apply caps". Takes the missing CAP_SYS_RESOURCE out of the request.
arguments=("$@")
request=
for ((i = 0; i < ${#arguments[@]}; i++)); do
  case ${arguments[i]} in
    --bundle | -b) request=${arguments[i + 1]}/config.json ;;
    --process | -p) request=${arguments[i + 1]} ;;
  esac
done
bounding=$(sed -n 's/^CapBnd:\t*//p' /proc/self/status)
if [ -n "$request" ] && [ $((16#$bounding >> 24 & 1)) = 0 ] && grep -q CAP_SYS_RESOURCE "$request"; then
  sed -i 's/"CAP_SYS_RESOURCE",//g; s/,"CAP_SYS_RESOURCE"//g' "$request"
fi
exec /usr/sbin/runc "$@"
