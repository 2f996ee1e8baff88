# For tests that run the commands of documents and helps in bash: a server would
# run until Ctrl-C, so it gets one as soon as it is there.
nervure() {
	if [[ ${1-} != serve || $* == *--export* ]]; then command nervure "$@"; return; fi
	: > serving.txt # may still hold the words of the server before
	command nervure "$@" &> serving.txt &
	until grep -q http serving.txt || ! kill -0 $! 2> /dev/null; do sleep 0.1; done
	kill -INT $! || cat serving.txt
	wait $!
}
