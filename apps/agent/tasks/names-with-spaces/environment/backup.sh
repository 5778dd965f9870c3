#!/bin/sh
from=$1
to=$2
mkdir -p $to
for file in $(ls $from/*.txt 2>/dev/null); do
  cp $file $to/
done
exit 0
